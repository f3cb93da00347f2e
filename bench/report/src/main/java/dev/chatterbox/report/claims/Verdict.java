package dev.chatterbox.report.claims;

/** What a run says of a claim. The rule stands in {@link ClaimResult} and was committed before the first run. */
public enum Verdict {
    HOLDS("holds here"),
    AS_PUBLISHED("holds under the published settings only"),
    DOES_NOT_HOLD("does not hold here"),
    NOT_SHOWN("cannot be shown on this machine");

    private final String text;

    Verdict(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }
}
