@NullMarked
package dev.chatterbox.connection;

import org.jspecify.annotations.NullMarked;
