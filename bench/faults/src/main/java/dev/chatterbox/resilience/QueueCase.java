package dev.chatterbox.resilience;

import dev.chatterbox.comparison.QueueWorkers;
import dev.chatterbox.results.QueueFigures;
import dev.chatterbox.stack.Member;
import dev.chatterbox.stack.Steps;
import dev.chatterbox.stack.Target;
import dev.chatterbox.variants.Outlives;
import dev.chatterbox.workloads.Slice;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A case in which something breaks while one-way messages are on their way, and what is lost and doubled is counted.
 * Each fault is made in several runs.
 *
 * @param run from 1
 * @param capacities messages per second of a variant and a workload, for all cases
 */
record QueueCase(Fault fault, int run, Map<String, Double> capacities) implements Scenario {

    private static final int RUNS = 3;

    /** How long an undisturbed run should take, so that something can break in the middle. */
    private static final double SECONDS = 12;

    private static final String SHARED = "publishers=250 consumers=2 payload=256";

    /** Kafka promises an order for a partition: one of sixteen topics has only one. */
    private static final String IN_ORDER = "publishers=1 consumers=1 topics=16 payload=256";

    enum Fault {
        BROKER_KILLED,
        CONSUMER_KILLED,
        CONSUMER_RESTARTED,
        PRODUCER_KILLED,
        LINK_CUT,
        ORDER_LINK_CUT
    }

    static List<QueueCase> all() {
        Map<String, Double> capacities = new HashMap<>();
        return Stream.of(Fault.values())
                .flatMap(fault -> IntStream.rangeClosed(1, RUNS).mapToObj(run -> new QueueCase(fault, run, capacities)))
                .toList();
    }

    @Override
    public String name() {
        return "queue-" + fault.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public boolean appliesTo(Target.VariantTarget variant) {
        return variant.queue().isPresent();
    }

    @Override
    public double seconds() {
        return 2.5 * SECONDS;
    }

    @Override
    public CaseResult measure(StackUnderTest stack, Target.VariantTarget variant)
            throws IOException, InterruptedException {
        boolean inOrder = fault == Fault.ORDER_LINK_CUT;
        String workload = inOrder ? IN_ORDER : SHARED;
        double perSecond = capacities.computeIfAbsent(
                variant.name() + " " + workload, key -> MessageRun.capacity(stack, variant, workload));
        int messages = (int) Math.max(MessageRun.FEWEST, Math.min(MessageRun.MOST, perSecond * SECONDS));
        Slice slice = MessageRun.slice(variant, messages, workload);
        try (QueueWorkers programs = MessageRun.programs(stack, variant)) {
            programs.prepare(slice);
            long start = System.nanoTime();
            try (MessageRun running = MessageRun.begin(programs, slice)) {
                TimeUnit.MILLISECONDS.sleep((long) (1e3 * messages / perSecond / 4));
                if (running.isOver()) {
                    throw new IOException("the run was over before anything broke");
                }
                disturb(stack, variant, programs, running);
                QueueFigures counts = running.counts();
                return CaseResult.since(
                        start,
                        variant.name(),
                        name(),
                        Map.of(MessageRun.TABLE, List.of(MessageRun.figures(messages, inOrder, counts))),
                        List.of(),
                        Criteria.missed(counts, MessageRun.outlives(variant).compareTo(mustOutlive()) < 0));
            }
        }
    }

    /** A variant whose messages outlive this may lose none. */
    private Outlives mustOutlive() {
        return fault == Fault.BROKER_KILLED ? Outlives.BROKER : Outlives.RESPONDER;
    }

    private void disturb(StackUnderTest stack, Target.VariantTarget variant, QueueWorkers programs, MessageRun messages)
            throws IOException, InterruptedException {
        switch (fault) {
            case BROKER_KILLED -> {
                // Of a cluster, another node in each run.
                List<Member> nodes = variant.brokers();
                String broker = nodes.get((run - 1) % nodes.size()).name();
                stack.faults().kill(broker);
                TimeUnit.SECONDS.sleep(1);
                stack.faults().restart(broker, Steps.SILENT);
            }
            case CONSUMER_KILLED -> {
                programs.endConsumer(false);
                try {
                    TimeUnit.SECONDS.sleep(1);
                } finally {
                    programs.restartConsumer();
                }
            }
            case CONSUMER_RESTARTED -> {
                programs.endConsumer(true);
                programs.restartConsumer();
            }
            case PRODUCER_KILLED -> programs.killProducer();
            case LINK_CUT, ORDER_LINK_CUT -> cutAgainAndAgain(stack, variant, messages);
        }
    }

    private static void cutAgainAndAgain(StackUnderTest stack, Target.VariantTarget variant, MessageRun messages)
            throws InterruptedException {
        LinkFaults links = new LinkFaults(stack.network(), variant.name());
        while (!messages.isOver()) {
            try {
                links.cut();
                TimeUnit.SECONDS.sleep(1);
            } finally {
                links.repair();
            }
            for (int i = 0; i < 40 && !messages.isOver(); i++) {
                TimeUnit.MILLISECONDS.sleep(100);
            }
        }
    }
}
