@NullMarked
package dev.chatterbox.report;

import org.jspecify.annotations.NullMarked;
