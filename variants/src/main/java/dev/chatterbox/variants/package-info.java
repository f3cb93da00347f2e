/**
 * The variants of a comparison, as data: a {@link dev.chatterbox.variants.Variant} is a file {@code
 * variants/<name>.properties}, and {@code responder.properties} in a responder's folder describes the responder.
 * docs/adding-a-variant.md explains every key.
 */
@NullMarked
package dev.chatterbox.variants;

import org.jspecify.annotations.NullMarked;
