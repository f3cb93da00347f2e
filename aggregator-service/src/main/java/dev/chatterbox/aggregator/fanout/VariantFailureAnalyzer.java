package dev.chatterbox.aggregator.fanout;

import dev.chatterbox.variants.VariantException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says what is wrong with a variant, or with the choice of variants, in place of a stack trace. */
class VariantFailureAnalyzer extends AbstractFailureAnalyzer<VariantException> {

    @Override
    protected FailureAnalysis analyze(Throwable failure, VariantException cause) {
        return new FailureAnalysis(
                cause.getMessage(), "Correct the variant, or CHATTERBOX_TRANSPORTS (chatterbox.transports).", cause);
    }
}
