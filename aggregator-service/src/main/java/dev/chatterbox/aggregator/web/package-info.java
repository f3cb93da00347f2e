/** The HTTP side: the API, its errors, and the live page. */
@NullMarked
package dev.chatterbox.aggregator.web;

import org.jspecify.annotations.NullMarked;
