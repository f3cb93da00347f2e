/** Where programs that are started come from: the system, a cache, Go, Maven, Python, or a download with a checksum. */
@NullMarked
package dev.chatterbox.processes.programs;

import org.jspecify.annotations.NullMarked;
