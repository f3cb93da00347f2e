/**
 * What is done to a running stack, by a command or from the live page: faults, healing, load, and how it does. Knows no
 * command; the service behind the live page is {@link dev.chatterbox.control.ControlServer}.
 */
@NullMarked
package dev.chatterbox.control;

import org.jspecify.annotations.NullMarked;
