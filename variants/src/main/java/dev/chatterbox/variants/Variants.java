package dev.chatterbox.variants;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** All variants, sorted by name. Immutable. */
public final class Variants {

    /** Names every variant except those of the groups {@link Variant.Group#OPT_IN} and {@link Variant.Group#CLAIMS}. */
    public static final String ALL = "all";

    /** Names the variants of the group {@link Variant.Group#CLAIMS}. */
    public static final String CLAIMS = "claims";

    /** Names one variant of each transport: the variant that has the transport's name. */
    public static final String EACH = "each";

    private static final String SUFFIX = ".properties";
    private static final String NAME = "[a-z][a-z0-9]*(-[a-z0-9]+)*";

    /** A variant does not inherit these keys: the description and the group of its transport would be wrong for it. */
    private static final Set<String> NOT_TAKEN_OVER = Set.of("about", "group");

    private final Map<String, Variant> variants = new TreeMap<>();

    private Variants(Collection<Variant> variants) {
        variants.forEach(variant -> this.variants.put(variant.name(), variant));
    }

    /**
     * Reads all variants in the folders.
     *
     * @throws VariantException a file is wrong, two folders hold the same variant, or a folder holds no variant
     */
    public static Variants read(Path... folders) {
        return of(Map.of(), folders);
    }

    /**
     * Takes variants that are not files in a folder, and reads those that are.
     *
     * @param files by file name, such as {@code nats.properties}
     * @param folders hold further variants as files
     * @throws VariantException as {@link #read} throws it
     */
    public static Variants of(Map<String, Properties> files, Path... folders) {
        Map<String, PropertiesFile> all = new TreeMap<>();
        files.forEach((file, properties) -> all.put(name(file), PropertiesFile.of("variants/" + file, properties)));
        for (Path folder : folders) {
            addFilesOf(folder, all);
        }
        List<Variant> variants = all.entrySet().stream()
                .map(file -> variant(file.getKey(), file.getValue(), all))
                .toList();
        requireConsistent(variants);
        return new Variants(variants);
    }

    private static void addFilesOf(Path folder, Map<String, PropertiesFile> files) {
        String[] names = folder.toFile().list((parent, name) -> name.endsWith(SUFFIX));
        if (names == null || names.length == 0) {
            throw new VariantException("There is no variant in %s.".formatted(folder));
        }
        Arrays.sort(names);
        for (String name : names) {
            PropertiesFile file = PropertiesFile.read(folder.resolve(name));
            PropertiesFile other = files.putIfAbsent(name(name), file);
            if (other != null) {
                throw new VariantException("%s: this variant is there already, in %s; it needs another name."
                        .formatted(file.file(), other.file()));
            }
        }
    }

    private static String name(String file) {
        return file.substring(0, file.length() - SUFFIX.length());
    }

    private static Variant variant(String name, PropertiesFile own, Map<String, PropertiesFile> files) {
        String transport = own.values().getOrDefault("transport", "");
        if (!transport.matches(NAME)) {
            throw new VariantException(
                    "%s: transport is '%s', but must match %s.".formatted(own.file(), transport, NAME));
        }
        if (!name.matches(NAME) || !name.equals(transport) && !name.startsWith(transport + "-")) {
            throw new VariantException(
                    "%s: the variant's name must be its transport, %s, or begin with it and a hyphen."
                            .formatted(own.file(), transport));
        }
        PropertiesFile base = files.get(transport);
        if (base == null) {
            throw new VariantException(
                    "%s: there is no variant %s that it could vary.".formatted(own.file(), transport));
        }
        PropertiesFile all = name.equals(transport) ? own : own.over(base, NOT_TAKEN_OVER);
        return all.read(Variant.KEYS, file -> Variant.of(name, file));
    }

    /**
     * Variants that share a broker or a responder must mean the same one, and two responders must not share an address.
     */
    private static void requireConsistent(List<Variant> variants) {
        Map<String, Variant> byResponder = new TreeMap<>();
        Map<String, Variant> byBroker = new TreeMap<>();
        Map<List<Object>, Variant> byAddress = new HashMap<>();
        for (Variant variant : variants) {
            String broker = variant.broker().map(Variant.Broker::name).orElse("");
            Variant sharer = byBroker.putIfAbsent(broker, variant);
            if (sharer != null && !sharer.broker().equals(variant.broker())) {
                throw conflict(
                        sharer,
                        variant,
                        "share the broker %s, so their broker.class and broker.nodes must be the same; a cluster needs a name of its own.",
                        broker);
            }
            if (variant.responder().isEmpty()) {
                continue;
            }
            String responder = variant.responder().get().name();
            Variant same = byResponder.putIfAbsent(responder, variant);
            boolean isSame = same != null && same.responder().equals(variant.responder());
            if (same != null && !(isSame && same.broker().equals(variant.broker()))) {
                throw conflict(
                        same,
                        variant,
                        "share the responder process %s, so their responder.*, broker and address.* must be the same; a process of its own needs a responder.name.",
                        responder);
            }
            Variant other = same == null && !broker.isEmpty()
                    ? byAddress.putIfAbsent(List.of(broker, variant.address()), variant)
                    : null;
            if (other != null) {
                throw conflict(
                        other,
                        variant,
                        "have two responder processes at one address of the broker %s: each would take the other's calls.",
                        broker);
            }
        }
    }

    private static VariantException conflict(Variant first, Variant second, String what, String name) {
        return new VariantException("variants/%s.properties and variants/%s.properties %s"
                .formatted(first.name(), second.name(), what.formatted(name)));
    }

    /** All variants, sorted by name. */
    public Collection<Variant> all() {
        return List.copyOf(variants.values());
    }

    public List<String> names() {
        return List.copyOf(variants.keySet());
    }

    public Optional<Variant> find(String name) {
        return Optional.ofNullable(variants.get(name));
    }

    /** The variants that are started if no others are named, sorted by name. */
    public List<Variant> byDefault() {
        return choose(variant -> variant.description().group() == Variant.Group.DEFAULT);
    }

    /**
     * The variants that a list of names means.
     *
     * @param names of variants, {@link #ALL}, {@link #EACH} or {@link #CLAIMS}; an empty list means the variants that
     *     are started by default
     * @return sorted by name, each variant once
     * @throws VariantException no variant has one of the names; the message lists the variants that exist
     */
    public List<Variant> choose(Collection<String> names) {
        if (names.isEmpty()) {
            return byDefault();
        }
        List<Variant> selection =
                names.stream().flatMap(name -> byName(name).stream()).toList();
        return choose(selection::contains);
    }

    private List<Variant> byName(String name) {
        return switch (name) {
            case ALL -> choose(Variants::ofAll);
            case EACH -> choose(variant -> ofAll(variant) && variant.name().equals(variant.transport()));
            case CLAIMS -> choose(variant -> variant.description().group() == Variant.Group.CLAIMS);
            default -> find(name).map(List::of).orElseThrow(() -> unknown(name));
        };
    }

    private VariantException unknown(String name) {
        List<Variant> others = choose(variant -> !ofAll(variant));
        return new VariantException(
                "There is no transport '%s'. These are there: %s; '%s' means all but %s, '%s' one of each transport, and '%s' those with published settings."
                        .formatted(
                                name,
                                String.join(", ", names()),
                                ALL,
                                others.stream().map(Variant::name).collect(Collectors.joining(", ")),
                                EACH,
                                CLAIMS));
    }

    private static boolean ofAll(Variant variant) {
        return variant.description().group() == Variant.Group.DEFAULT
                || variant.description().group() == Variant.Group.ALL;
    }

    private List<Variant> choose(Predicate<Variant> which) {
        return variants.values().stream().filter(which).toList();
    }
}
