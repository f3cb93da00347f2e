@NullMarked
package dev.chatterbox.report.tables;

import org.jspecify.annotations.NullMarked;
