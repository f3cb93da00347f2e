package dev.chatterbox.client;

/**
 * The contract of {@link SquareClient}, as tests. A client's own test supplies the set-up: see {@link ClientKit}.
 *
 * <p>If a client declares a {@link Deviation}, the test of that point asserts what happens instead. So a declaration
 * that is not true fails, and so does a deviation that is not declared.
 */
public abstract class SquareClientContract extends StreamCases {}
