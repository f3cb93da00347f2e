package dev.chatterbox.kafka.stock;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.stereotype.Component;

/**
 * Healthy once partitions are assigned. Requests sent before that are lost, because by default a consumer begins at the
 * end of its partitions.
 */
@Component
record AssignmentHealth(KafkaListenerEndpointRegistry listeners) implements HealthIndicator {

    @Override
    public Health health() {
        boolean assigned = listeners.getListenerContainers().stream()
                .map(container -> container.getAssignedPartitions())
                .anyMatch(partitions -> partitions != null && !partitions.isEmpty());
        return (assigned ? Health.up() : Health.down().withDetail("reason", "no partition is assigned yet")).build();
    }
}
