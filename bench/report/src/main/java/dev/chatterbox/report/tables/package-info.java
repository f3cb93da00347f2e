/** Tables, and lines for a terminal, Markdown and CSV from them. They know nothing of what they show. */
@NullMarked
package dev.chatterbox.report.tables;

import org.jspecify.annotations.NullMarked;
