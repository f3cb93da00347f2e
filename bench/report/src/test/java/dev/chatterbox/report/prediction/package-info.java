@NullMarked
package dev.chatterbox.report.prediction;

import org.jspecify.annotations.NullMarked;
