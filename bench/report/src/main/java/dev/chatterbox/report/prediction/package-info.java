/** From what was measured in the open model to what another load would cost. */
@NullMarked
package dev.chatterbox.report.prediction;

import org.jspecify.annotations.NullMarked;
