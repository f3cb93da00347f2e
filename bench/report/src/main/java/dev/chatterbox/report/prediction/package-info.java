/** Predicts what another load would cost, from what was measured in the open model. */
@NullMarked
package dev.chatterbox.report.prediction;

import org.jspecify.annotations.NullMarked;
