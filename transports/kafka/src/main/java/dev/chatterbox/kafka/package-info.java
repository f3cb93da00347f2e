/** What requester, responder and bare client over Kafka share: options, topics, headers, and what an outage means. */
@NullMarked
package dev.chatterbox.kafka;

import org.jspecify.annotations.NullMarked;
