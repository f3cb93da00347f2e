/** Which rows fit a need, what they would cost, and which of them the figures cannot tell apart. */
@NullMarked
package dev.chatterbox.report.advice;

import org.jspecify.annotations.NullMarked;
