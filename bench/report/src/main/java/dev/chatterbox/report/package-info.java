/**
 * What a comparison found, for people: a page, a table for the terminal, CSV and Markdown of one run, and the
 * difference of two.
 *
 * <p>A new dimension of a workload has one file here: {@code WorkloadText}.
 */
@NullMarked
package dev.chatterbox.report;

import org.jspecify.annotations.NullMarked;
