package dev.chatterbox.resilience;

import dev.chatterbox.comparison.Target;
import dev.chatterbox.resilience.Case.Script;
import dev.chatterbox.resilience.Case.Trait;
import dev.chatterbox.stack.UsageException;
import dev.chatterbox.transport.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All that is done to a row. */
public final class Cases {

    /** Of the mixed faults, which are chosen beside the cases. */
    public static final String SOAK = "soak";

    private static final int AWAY = 3;
    private static final int FROZEN = 10;

    static final List<Case> ALL = all();

    private Cases() {}

    private static List<Case> all() {
        List<Case> cases = new ArrayList<>();
        for (Part part : List.of(Part.RESPONDER, Part.BROKER)) {
            mixed(cases, part, "killed", "dies (SIGKILL), and is started again after 3 s", 12, scene -> {
                scene.kill(part);
                scene.pause(AWAY);
                scene.startAgain(part);
            });
            mixed(cases, part, "frozen", "stands still for 10 s (SIGSTOP)", FROZEN, scene -> {
                scene.freeze(part);
                scene.pause(FROZEN);
                scene.resume(part);
            });
            mixed(cases, part, "restarted", "stops in order (SIGTERM), and is started again at once", 9, scene -> {
                scene.terminate(part);
                scene.startAgain(part);
            });
        }
        add(cases, "broker-emptied", "is started again without its data", 12, Cases::hasStore, Set.of(), scene -> {
            scene.terminate(Part.BROKER);
            scene.deleteData();
            scene.startAgain(Part.BROKER);
        });
        add(
                cases,
                "broker-absent",
                "is away when the aggregator starts, and is started 3 s later",
                22,
                has(Part.BROKER),
                Set.of(Trait.EVERY_ROW, Trait.AGGREGATOR_AWAY),
                scene -> {
                    scene.kill(Part.BROKER);
                    scene.terminate(Part.AGGREGATOR);
                    scene.startAgain(Part.AGGREGATOR);
                    scene.pause(AWAY);
                    scene.startAgain(Part.BROKER);
                });
        Set<Trait> mixed = Set.of(Trait.MIXED);
        add(cases, "link-cut", "all connections end, and none is taken for 5 s", 5, row -> true, mixed, scene -> {
            scene.cut();
            scene.pause(5);
            scene.join();
        });
        add(cases, "link-half-open", "what comes back is lost for 10 s", FROZEN, row -> true, mixed, scene -> {
            scene.silence();
            scene.pause(FROZEN);
            scene.unsilence();
        });
        add(cases, "link-delayed", "each round trip takes 300 ms more, for 5 s", 5, row -> true, mixed, scene -> {
            scene.delayLink(300);
            scene.pause(5);
            scene.delayLink(0);
        });
        add(cases, "slow-responder", "takes 1 s for each call, for 8 s", 10, has(Part.RESPONDER), Set.of(), scene -> {
            scene.delayResponder("1s");
            scene.pause(8);
            scene.delayResponder("0ms");
        });
        add(
                cases,
                "slow-readers",
                "40 clients ask for 10,000 calls and read after 10 s",
                25,
                row -> true,
                Set.of(),
                scene -> scene.readSlowly(40, 10_000, 10));
        add(
                cases,
                "disconnects",
                "10,000 clients ask for 100 calls and are gone",
                20,
                row -> true,
                Set.of(),
                scene -> scene.disconnect(10_000, 100));
        add(
                cases,
                "overload",
                "1000 users ask for 1000 calls at once",
                60,
                row -> true,
                Set.of(Trait.EVERY_ROW),
                scene -> scene.flood(1000, 1000));
        add(
                cases,
                "aggregator-terminated",
                "stops in order (SIGTERM) while each call takes 300 ms, and is started again at once",
                12,
                has(Part.RESPONDER),
                Set.of(Trait.EVERY_ROW, Trait.AGGREGATOR_AWAY),
                scene -> {
                    scene.delayResponder("300ms");
                    scene.pause(1);
                    scene.terminate(Part.AGGREGATOR);
                    scene.delayResponder("0ms");
                    scene.startAgain(Part.AGGREGATOR);
                });
        return List.copyOf(cases);
    }

    private static void mixed(List<Case> cases, Part part, String done, String what, int seconds, Script script) {
        add(cases, part.word() + "-" + done, what, seconds, has(part), Set.of(Trait.MIXED), script);
    }

    private static void add(
            List<Case> cases,
            String name,
            String what,
            int seconds,
            Predicate<Target.RowTarget> applies,
            Set<Trait> traits,
            Script script) {
        cases.add(new Case(name, what, seconds, applies, traits, script));
    }

    private static Predicate<Target.RowTarget> has(Part part) {
        return row -> part.of(row).isPresent();
    }

    private static boolean hasStore(Target.RowTarget row) {
        return row.row().kind() == Kind.LOG;
    }

    static Stream<Case> mixed(Target.RowTarget row) {
        return ALL.stream()
                .filter(some -> some.is(Trait.MIXED) && some.applies().test(row));
    }

    /**
     * Those of these names, in the order in which they are done; all where none is named.
     *
     * @throws UsageException a name means no case
     */
    static List<Case> named(List<String> names) {
        for (String name : names) {
            if (!name.equals(SOAK) && ALL.stream().noneMatch(some -> some.name().equals(name))) {
                throw new UsageException("There is no case '%s'. There are: %s, %s"
                        .formatted(name, ALL.stream().map(Case::name).collect(Collectors.joining(", ")), SOAK));
            }
        }
        return ALL.stream()
                .filter(some -> names.isEmpty() || names.contains(some.name()))
                .toList();
    }
}
