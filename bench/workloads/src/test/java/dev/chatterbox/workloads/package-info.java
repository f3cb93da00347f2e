@NullMarked
package dev.chatterbox.workloads;

import org.jspecify.annotations.NullMarked;
