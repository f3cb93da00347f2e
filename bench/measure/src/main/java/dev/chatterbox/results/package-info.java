/** The records by which {@code results.json} is written and read. docs/results/format.md says what each figure means. */
@NullMarked
package dev.chatterbox.results;

import org.jspecify.annotations.NullMarked;
