package dev.chatterbox.aggregator.fanout;

import dev.chatterbox.rows.RowException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says what is wrong with a row, or with the choice of rows, in place of a stack trace. */
class RowFailureAnalyzer extends AbstractFailureAnalyzer<RowException> {

    @Override
    protected FailureAnalysis analyze(Throwable failure, RowException cause) {
        return new FailureAnalysis(
                cause.getMessage(), "Correct the row, or CHATTERBOX_TRANSPORTS (chatterbox.transports).", cause);
    }
}
