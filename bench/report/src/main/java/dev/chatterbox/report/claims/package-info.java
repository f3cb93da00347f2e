/** Published claims, and what a run of ours says of each. */
@NullMarked
package dev.chatterbox.report.claims;

import org.jspecify.annotations.NullMarked;
