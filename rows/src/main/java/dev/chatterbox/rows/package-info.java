/**
 * What a comparison sets side by side, as data: a {@link dev.chatterbox.rows.Row} is a file
 * {@code rows/<name>.properties}, and what answers it is described by {@code responder.properties} in the responder's
 * folder. docs/adding-a-transport.md explains every key.
 */
@NullMarked
package dev.chatterbox.rows;

import org.jspecify.annotations.NullMarked;
