/** What a comparison found, for people: the report of one run and the difference of two. */
@NullMarked
package dev.chatterbox.report;

import org.jspecify.annotations.NullMarked;
