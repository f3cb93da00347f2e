/** The wire messages of the brokers' transports, generated from {@code square.proto}, and the function they carry. */
package dev.chatterbox.proto;
