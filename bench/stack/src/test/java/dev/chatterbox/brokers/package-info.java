@NullMarked
package dev.chatterbox.brokers;

import org.jspecify.annotations.NullMarked;
