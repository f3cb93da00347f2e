/**
 * What a comparison left behind: the records of {@code results.json}, by which it is written and read.
 * docs/results.md tells what each figure means.
 */
@NullMarked
package dev.chatterbox.results;

import org.jspecify.annotations.NullMarked;
