package dev.chatterbox.aggregator.grpc;

/**
 * What a row tells the stock client.
 *
 * @param targets the square service; of several, with commas between them, the first
 */
record GrpcStockSettings(String targets) {}
