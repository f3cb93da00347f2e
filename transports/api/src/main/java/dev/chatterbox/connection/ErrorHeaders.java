package dev.chatterbox.connection;

/**
 * The headers, or properties, of an error reply over a broker without a convention of its own for them. The body of
 * such a reply is empty.
 */
public final class ErrorHeaders {

    /** What was wrong with the request and what would be right, as text. */
    public static final String REASON = "chatterbox_error";

    /** An HTTP status code: 400 if the request was wrong. */
    public static final String CODE = "chatterbox_error_code";

    private ErrorHeaders() {}
}
