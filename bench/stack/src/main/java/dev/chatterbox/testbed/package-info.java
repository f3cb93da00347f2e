/** A running system as a comparison sees it: which process serves which row, and the network between them. */
@NullMarked
package dev.chatterbox.testbed;

import org.jspecify.annotations.NullMarked;
