"""The square calculator, as a responder over REST, NATS or Kafka that is from outside as those in Java are."""
