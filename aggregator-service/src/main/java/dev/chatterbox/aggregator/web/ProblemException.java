package dev.chatterbox.aggregator.web;

import org.springframework.http.HttpStatus;

/** What was wrong with a request, and what would be right. */
final class ProblemException extends RuntimeException {

    private final HttpStatus status;

    ProblemException(HttpStatus status, String detail) {
        super(detail, null, false, false);
        this.status = status;
    }

    HttpStatus status() {
        return status;
    }
}
