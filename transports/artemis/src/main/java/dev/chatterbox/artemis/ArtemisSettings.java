package dev.chatterbox.artemis;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings that a variant gives to this client.
 *
 * @param url of the broker, as Artemis' client reads it: {@code tcp://host:port}, or several, {@code (tcp://…,tcp://…)}
 * @param durable whether the broker stores requests in its journal before it delivers them; replies are never stored
 */
record ArtemisSettings(@DefaultValue("tcp://localhost:5445") String url, boolean durable) {}
