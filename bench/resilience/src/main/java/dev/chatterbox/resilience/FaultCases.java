package dev.chatterbox.resilience;

import dev.chatterbox.comparison.Target;
import dev.chatterbox.resilience.FaultCase.Script;
import dev.chatterbox.resilience.FaultCase.Trait;
import dev.chatterbox.stack.UsageException;
import dev.chatterbox.transport.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All that is done to a row. */
public final class FaultCases {

    /** Of the mixed faults, which are chosen beside the cases. */
    public static final String SOAK = "soak";

    private static final int AWAY = 3;
    private static final int FROZEN = 10;

    static final List<FaultCase> ALL = all();

    private FaultCases() {}

    private static List<FaultCase> all() {
        List<FaultCase> cases = new ArrayList<>();
        for (RowProcess process : List.of(RowProcess.RESPONDER, RowProcess.BROKER)) {
            mixed(cases, process, "killed", "dies (SIGKILL), and is started again after 3 s", 12, row -> {
                row.kill(process);
                row.pause(AWAY);
                row.startAgain(process);
            });
            mixed(cases, process, "frozen", "stands still for 10 s (SIGSTOP)", FROZEN, row -> {
                row.freeze(process);
                row.pause(FROZEN);
                row.resume(process);
            });
            mixed(cases, process, "restarted", "stops in order (SIGTERM), and is started again at once", 9, row -> {
                row.terminate(process);
                row.startAgain(process);
            });
        }
        add(cases, "broker-emptied", "is started again without its data", 12, FaultCases::hasStore, Set.of(), row -> {
            row.terminate(RowProcess.BROKER);
            row.deleteData();
            row.startAgain(RowProcess.BROKER);
        });
        add(
                cases,
                "broker-absent",
                "is away when the aggregator starts, and is started 3 s later",
                22,
                has(RowProcess.BROKER),
                Set.of(Trait.EVERY_ROW, Trait.AGGREGATOR_AWAY),
                row -> {
                    row.kill(RowProcess.BROKER);
                    row.terminate(RowProcess.AGGREGATOR);
                    row.startAgain(RowProcess.AGGREGATOR);
                    row.pause(AWAY);
                    row.startAgain(RowProcess.BROKER);
                });
        Set<Trait> mixed = Set.of(Trait.MIXED);
        add(cases, "link-cut", "all connections end, and none is taken for 5 s", 5, row -> true, mixed, row -> {
            row.cutLinks();
            row.pause(5);
            row.repairLinks();
        });
        add(cases, "link-half-open", "what comes back is lost for 10 s", FROZEN, row -> true, mixed, row -> {
            row.silenceLinks();
            row.pause(FROZEN);
            row.repairLinks();
        });
        add(cases, "link-delayed", "each round trip takes 300 ms more, for 5 s", 5, row -> true, mixed, row -> {
            row.delayLinks(300);
            row.pause(5);
            row.repairLinks();
        });
        add(
                cases,
                "slow-responder",
                "takes 1 s for each call, for 8 s",
                10,
                has(RowProcess.RESPONDER),
                Set.of(),
                row -> {
                    row.delayResponder("1s");
                    row.pause(8);
                    row.delayResponder("0ms");
                });
        add(
                cases,
                "slow-readers",
                "40 clients ask for 10,000 calls and read after 10 s",
                25,
                row -> true,
                Set.of(),
                row -> row.readSlowly(40, 10_000, 10));
        add(
                cases,
                "disconnects",
                "10,000 clients ask for 100 calls and are gone",
                20,
                row -> true,
                Set.of(),
                row -> row.disconnect(10_000, 100));
        add(
                cases,
                "overload",
                "1000 users ask for 1000 calls at once",
                60,
                row -> true,
                Set.of(Trait.EVERY_ROW),
                row -> row.flood(1000, 1000));
        add(
                cases,
                "aggregator-terminated",
                "stops in order (SIGTERM) while each call takes 300 ms, and is started again at once",
                12,
                has(RowProcess.RESPONDER),
                Set.of(Trait.EVERY_ROW, Trait.AGGREGATOR_AWAY),
                row -> {
                    row.delayResponder("300ms");
                    row.pause(1);
                    row.terminate(RowProcess.AGGREGATOR);
                    row.delayResponder("0ms");
                    row.startAgain(RowProcess.AGGREGATOR);
                });
        return List.copyOf(cases);
    }

    private static void mixed(
            List<FaultCase> cases, RowProcess process, String done, String what, int seconds, Script script) {
        add(cases, process.text() + "-" + done, what, seconds, has(process), Set.of(Trait.MIXED), script);
    }

    private static void add(
            List<FaultCase> cases,
            String name,
            String what,
            int seconds,
            Predicate<Target.RowTarget> applies,
            Set<Trait> traits,
            Script script) {
        cases.add(new FaultCase(name, what, seconds, applies, traits, script));
    }

    private static Predicate<Target.RowTarget> has(RowProcess process) {
        return row -> process.of(row).isPresent();
    }

    private static boolean hasStore(Target.RowTarget row) {
        return row.row().kind() == Kind.LOG;
    }

    static Stream<FaultCase> mixed(Target.RowTarget row) {
        return ALL.stream()
                .filter(some -> some.is(Trait.MIXED) && some.applies().test(row));
    }

    /**
     * Those of these names, in the order in which they are done; all where none is named.
     *
     * @throws UsageException a name means no case
     */
    static List<FaultCase> named(List<String> names) {
        for (String name : names) {
            if (!name.equals(SOAK) && ALL.stream().noneMatch(some -> some.name().equals(name))) {
                throw new UsageException("There is no case '%s'. There are: %s, %s"
                        .formatted(name, ALL.stream().map(FaultCase::name).collect(Collectors.joining(", ")), SOAK));
            }
        }
        return ALL.stream()
                .filter(some -> names.isEmpty() || names.contains(some.name()))
                .toList();
    }
}
