package dev.chatterbox.report.claims;

/** What a run says of a claim. The rule stands in {@link ClaimResult} and was committed before the first run. */
public enum Verdict {
    HOLDS("holds here", "hold here"),
    AS_PUBLISHED("holds under the published settings only", "hold under the published settings only"),
    DOES_NOT_HOLD("does not hold here", "do not hold here"),
    NOT_SHOWN("cannot be shown on this machine", "cannot be shown on this machine, or not yet");

    private final String text;
    private final String plural;

    Verdict(String text, String plural) {
        this.text = text;
        this.plural = plural;
    }

    public String text() {
        return text;
    }

    /** Of several claims. */
    public String plural() {
        return plural;
    }
}
