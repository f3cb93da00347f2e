/** The sources of programs that are started: the system, a cache, Go, Maven, Python, or a download with a checksum. */
@NullMarked
package dev.chatterbox.processes.programs;

import org.jspecify.annotations.NullMarked;
