@NullMarked
package dev.chatterbox.clients;

import org.jspecify.annotations.NullMarked;
