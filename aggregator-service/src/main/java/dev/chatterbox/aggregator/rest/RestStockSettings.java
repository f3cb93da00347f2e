package dev.chatterbox.aggregator.rest;

/**
 * What a row tells the stock client.
 *
 * @param urls the square service's address; of several, with commas between them, the first
 */
record RestStockSettings(String urls) {}
