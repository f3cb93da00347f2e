/** What every responder does in the same way: answer, count, fail on demand, stay connected. */
@NullMarked
package dev.chatterbox.responder;

import org.jspecify.annotations.NullMarked;
