/** The environment of a result: machine, versions and settings. */
@NullMarked
package dev.chatterbox.comparison.environment;

import org.jspecify.annotations.NullMarked;
