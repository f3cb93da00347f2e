/**
 * The rows of a comparison, as data: a {@link dev.chatterbox.rows.Row} is a file {@code rows/<name>.properties}, and
 * {@code responder.properties} in a responder's folder describes the responder. docs/adding-a-transport.md explains
 * every key.
 */
@NullMarked
package dev.chatterbox.rows;

import org.jspecify.annotations.NullMarked;
