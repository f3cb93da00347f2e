/** The spans of requests, of their calls and of the responders' work. */
@NullMarked
package dev.chatterbox.traces;

import org.jspecify.annotations.NullMarked;
