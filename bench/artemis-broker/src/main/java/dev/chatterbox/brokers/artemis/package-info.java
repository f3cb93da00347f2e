/** The program that runs in the JVM of the Artemis broker. */
@NullMarked
package dev.chatterbox.brokers.artemis;

import org.jspecify.annotations.NullMarked;
