package dev.chatterbox.brokers;

/**
 * Who leads in a cluster.
 *
 * @param node the number of the node that leads most of what the calls of a variant need
 * @param text for people: who leads what
 */
public record Leaders(int node, String text) {}
