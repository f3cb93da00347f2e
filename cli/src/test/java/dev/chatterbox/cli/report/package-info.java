@NullMarked
package dev.chatterbox.cli.report;

import org.jspecify.annotations.NullMarked;
