package dev.chatterbox.queue;

import java.util.Map;
import java.util.TreeMap;
import org.springframework.util.PropertyPlaceholderHelper;

/**
 * What the programs of one-way messages get from a variant.
 *
 * @param queue the name of the queue, which no other variant has
 * @param client the settings of the variant's client, by name
 */
public record QueueSettings(String queue, Map<String, String> client) {

    private static final String CLIENT = "--client.";
    private static final String QUEUE = "--queue=";

    /**
     * A variable of the environment, and its value where it is not set: {@code ${NATS_SERVER:nats://localhost:4222}}.
     */
    private static final PropertyPlaceholderHelper VARIABLES =
            new PropertyPlaceholderHelper("${", "}", ":", null, true);

    /**
     * Reads {@code --queue=NAME} and {@code --client.KEY=VALUE}; other arguments are left to the program.
     *
     * @param environment the variables that values may name
     */
    public static QueueSettings of(String[] arguments, Map<String, String> environment) {
        String queue = "";
        Map<String, String> client = new TreeMap<>();
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            if (argument.startsWith(QUEUE)) {
                queue = argument.substring(QUEUE.length());
            } else if (argument.startsWith(CLIENT)) {
                String value = VARIABLES.replacePlaceholders(argument.substring(equals + 1), environment::get);
                client.put(argument.substring(CLIENT.length(), equals), value);
            }
        }
        return new QueueSettings(queue, client);
    }

    /** @throws IllegalArgumentException the variant has no such setting */
    public String client(String key) {
        String value = client.get(key);
        if (value == null) {
            throw new IllegalArgumentException("the variant has no client." + key);
        }
        return value;
    }

    public String client(String key, String otherwise) {
        return client.getOrDefault(key, otherwise);
    }

    public int number(String key, int otherwise) {
        return number(key, "", otherwise);
    }

    /** @param unit follows the number */
    public int number(String key, String unit, int otherwise) {
        return Integer.parseInt(client(key, otherwise + unit).replace(unit, ""));
    }

    public boolean isOn(String key) {
        return Boolean.parseBoolean(client(key, "false"));
    }

    /**
     * How many messages may wait for their acknowledgement: as many for each publisher as the variant's {@code window}
     * says, which is 1 where it is not set. With the window 0 nobody waits, and only the library's buffer is a bound.
     */
    public int mostUnacknowledged(int publishers) {
        int window = number("window", 1);
        return window == 0 ? Integer.MAX_VALUE : publishers * window;
    }

    /** The name of the consumers' group, or what the names of several groups begin with. */
    public String group() {
        return queue + ".consumers";
    }
}
