/** On what a result was measured: machine, versions and settings. */
@NullMarked
package dev.chatterbox.comparison.environment;

import org.jspecify.annotations.NullMarked;
