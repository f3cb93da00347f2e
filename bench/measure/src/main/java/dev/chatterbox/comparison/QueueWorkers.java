package dev.chatterbox.comparison;

import dev.chatterbox.processes.Io;
import dev.chatterbox.processes.ProcessException;
import dev.chatterbox.processes.programs.Cache;
import dev.chatterbox.results.QueueFigures;
import dev.chatterbox.results.Role;
import dev.chatterbox.stack.Target;
import dev.chatterbox.workloads.Dimension;
import dev.chatterbox.workloads.MessageFile;
import dev.chatterbox.workloads.MessageFile.Field;
import dev.chatterbox.workloads.Slice;
import dev.chatterbox.workloads.SliceResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The two programs of a variant's one-way messages: {@code produce} and {@code consume}. Both live for the whole
 * measurement. For each slice, the queue is made if it is missing, the consumers take messages, and then the producer
 * publishes. The outcome of the messages is counted in the files of both programs, so it is known also of a program
 * that was killed.
 */
public final class QueueWorkers implements SliceWorker {

    /** Getting ready takes minutes where there are hundreds of topics. */
    private static final Duration READY_WITHIN = Duration.ofSeconds(300);

    private static final String PRODUCED = "produced";
    private static final String CONSUMED = "consumed-";

    private final String name;
    private final Target.Queue programs;
    private final Path folder;
    private final Path files;
    private final String suffix;
    private final List<String> arguments;
    private final Worker produce;
    private volatile Worker consume;

    /** Who kills the consumer has it until another one is ready. */
    private final ReentrantLock consumer = new ReentrantLock();

    private int slices;
    private volatile @Nullable Slice slice;
    private volatile @Nullable QueueFigures messages;
    private volatile boolean producerKilled;

    /**
     * Starts both programs.
     *
     * @param name of the variant
     * @param folder for the logs and the files of messages
     * @param suffix by which starts are told apart
     * @param arguments in addition to those of the programs
     */
    public QueueWorkers(String name, Target.Queue programs, Path folder, String suffix, List<String> arguments) {
        this.name = name;
        this.programs = programs;
        this.folder = folder;
        this.suffix = suffix;
        this.arguments = arguments;
        files = folder.resolve("messages").resolve(name + suffix);
        Io.unchecked(() -> Files.createDirectories(files));
        produce = start("produce-", programs.produce());
        try {
            consume = start("consume-", programs.consume());
        } catch (RuntimeException e) {
            produce.kill();
            throw e;
        }
    }

    private Worker start(String role, Target.Program program) {
        List<String> command = new ArrayList<>(program.command());
        command.add("--folder=" + files.toAbsolutePath());
        command.addAll(arguments);
        return Worker.program(role + name, new Target.Program(command, program.environment()), folder, suffix);
    }

    @Override
    public void prepare(Slice wanted) {
        Slice before = slice;
        Slice numbered = new Slice(
                wanted.id() + "/" + ++slices, wanted.variant(), wanted.workload(), wanted.requests(), wanted.seconds());
        if (before != null && !wanted.workload().sharesQueueWith(before.workload())) {
            // Artemis does not delete a queue that is consumed.
            hold(numbered);
        }
        deleteFiles();
        slice = numbered;
        prepare(produce, numbered);
        prepare(consume, numbered);
    }

    private void deleteFiles() {
        Cache.list(files).forEach(Cache::delete);
    }

    private static void prepare(Worker worker, Slice slice) {
        worker.order(channel -> channel.prepare(slice), slice);
        requireDone(worker, slice);
    }

    private static void requireDone(Worker worker, Slice slice) {
        if (worker.result(slice, READY_WITHIN).failed() > 0) {
            throw worker.gone(slice, "is not ready for");
        }
    }

    private Slice current() {
        return Objects.requireNonNull(slice, "no slice is prepared");
    }

    /** Does something that the consumer takes part in, when one is ready. */
    private void withConsumer(Runnable work) {
        consumer.lock();
        try {
            work.run();
        } finally {
            consumer.unlock();
        }
    }

    /** Holds the consumers: messages pile up in the broker. */
    public void hold() {
        withConsumer(() -> hold(current()));
    }

    private void hold(Slice of) {
        consume.order(channel -> channel.hold(of), of);
        requireDone(consume, of);
    }

    /** Lets the consumers that are held go on. */
    public void resume() {
        withConsumer(() -> prepare(consume, current()));
    }

    @Override
    public void begin(Slice wanted) {
        produce.begin(current());
    }

    @Override
    public SliceResult result(Slice wanted, Duration patience) {
        Slice now = current();
        Map<String, Long> failures = new TreeMap<>();
        try {
            failures.putAll(produce.result(now, patience).failures());
        } catch (ProcessException e) {
            if (!producerKilled) {
                throw e;
            }
        }
        MessageFile produced = file(PRODUCED);
        long published = produced.get(Field.COUNT);
        if (published > 0) {
            Slice rest = new Slice(now.id(), now.variant(), now.workload().with(Dimension.CALLS, 1), published, 0);
            withConsumer(() -> {
                consume.begin(rest);
                failures.putAll(consume.result(rest, patience).failures());
            });
        }
        QueueFigures counted = QueueFigures.of(now.requests() * now.workload().calls(), produced, consumed());
        if (counted.ended().containsKey(QueueFigures.WRONG_SUM)) {
            failures.put("sum", 1L);
        }
        messages = counted;
        long messagesOfRequest =
                (long) wanted.workload().calls() * wanted.workload().get(Dimension.GROUPS);
        long right = Math.round((double) counted.consumed() / messagesOfRequest);
        return new SliceResult(wanted.id(), counted.consumeSeconds(), right, failures, 0, counted.consumed());
    }

    @Override
    public @Nullable QueueFigures messages() {
        return messages;
    }

    /** How many messages of the slice under way were published, and how many the slowest group has consumed. */
    public Progress progress() {
        long least = Long.MAX_VALUE;
        for (MessageFile group : consumed()) {
            least = Math.min(least, group.get(Field.COUNT) - group.get(Field.DOUBLED));
        }
        return new Progress(file(PRODUCED).get(Field.COUNT), least);
    }

    /** @param consumed different messages */
    public record Progress(long published, long consumed) {}

    /** What is known of the messages that were published. */
    public MessageFile produced() {
        return file(PRODUCED);
    }

    private List<MessageFile> consumed() {
        return IntStream.range(0, current().workload().get(Dimension.GROUPS))
                .mapToObj(group -> file(CONSUMED + group))
                .toList();
    }

    private MessageFile file(String part) {
        return Io.unchecked(() -> new MessageFile(files.resolve(part)));
    }

    /** Kills the producer: the slice under way has no more messages, and no other slice can follow. */
    public void killProducer() {
        producerKilled = true;
        produce.killNow();
    }

    /** Ends the consumer: by SIGKILL, or in order. {@link #restartConsumer} must follow, on the same thread. */
    public void endConsumer(boolean inOrder) {
        consumer.lock();
        if (inOrder) {
            consume.close();
        } else {
            consume.killNow();
        }
    }

    /** Starts the consumer again, which goes on with the slice under way. */
    public void restartConsumer() {
        try {
            consume = start("consume-", programs.consume());
            prepare(consume, current());
        } finally {
            consumer.unlock();
        }
    }

    @Override
    public Map<Long, String> roles() {
        return Map.of(produce.pid(), Role.PRODUCER, consume.pid(), Role.CONSUMER);
    }

    @Override
    public void kill() {
        consume.kill();
        produce.kill();
    }

    /** The consumer ends first, because the producer removes the queue. */
    @Override
    public void close() {
        consume.close();
        produce.close();
        deleteFiles();
    }
}
