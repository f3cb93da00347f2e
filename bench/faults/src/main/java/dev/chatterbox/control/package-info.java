/**
 * What a command or the live page does to a running stack: faults, healing, load and state. This package does not know
 * the commands; the service behind the live page is {@link dev.chatterbox.control.ControlServer}.
 */
@NullMarked
package dev.chatterbox.control;

import org.jspecify.annotations.NullMarked;
