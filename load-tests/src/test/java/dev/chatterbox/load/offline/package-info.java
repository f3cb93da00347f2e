@NullMarked
package dev.chatterbox.load.offline;

import org.jspecify.annotations.NullMarked;
