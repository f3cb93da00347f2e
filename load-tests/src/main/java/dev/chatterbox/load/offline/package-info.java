/** Keeps Gatling from asking the internet for its newest version. */
@NullMarked
package dev.chatterbox.load.offline;

import org.jspecify.annotations.NullMarked;
