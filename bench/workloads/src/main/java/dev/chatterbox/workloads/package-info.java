/** The workloads of variants: one type and one text form, which presets, generator, results, report and diff share. */
@NullMarked
package dev.chatterbox.workloads;

import org.jspecify.annotations.NullMarked;
