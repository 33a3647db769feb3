package io.clusterecho.reporting.compare;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.SettingKeys;

/** The conditions of runs by path, and which differences make runs incomparable. */
final class Conditions
{
    /** Keys of conditions that make the times of two sets incomparable, in the order of the help. */
    private static final List<String> GUARDED =
        List.of(
            "size", "rate", "load", "transport", "durability", "placement", "driver", "profile", "members", "machine",
            "accounts");

    static final String NONE = "(none)";
    private static final String ACCOUNTS = "accounts";
    private static final String CLUSTER = "cluster.";
    private static final String CONFIGURATION = "configuration.";
    private static final List<String> SECTIONS = List.of("configuration", "cluster", "versions", "machine", "jvm");
    private static final Map<String, String> KEY_BY_PATH = byPath(Map.of(
        "size", List.of("configuration.size"), "rate", List.of("configuration.rate"),
        "load", Stream.of(
        "kind", "trace-digest", "trace-speed", "trace-repeat", "arrivals", "batch", "clients", "connections", "delivery",
        "duration", "warm-up", "late-after").map(CONFIGURATION::concat).toList(),
        "transport", Stream.of("transport", "ipc-ingress", "memory-delay", "memory-stall").map(CONFIGURATION::concat).toList(),
        "durability", List.of("durability", CLUSTER + SettingKeys.FSYNC),
        "driver", List.of("configuration.driver", CLUSTER + SettingKeys.DRIVER),
        "placement", List.of("placement"),
        "profile", List.of(
        "configuration.profile", "configuration.idle", "configuration.driver-threads", "configuration.core",
        "configuration.duty-cycle-interval", CLUSTER + SettingKeys.PROFILE, CLUSTER + SettingKeys.CORES),
        "members", List.of(CLUSTER + SettingKeys.HOSTS)));

    /**
     * Names, paths and output settings of a run do not affect its times. How its threads were scheduled follows from the other
     * conditions.
     */
    private static final Set<String> IGNORED = Set.of(
        "configuration.label", "configuration.output", "configuration.base-dir", "configuration.cluster-dir",
        "configuration.config", "configuration.quiet", "configuration.live", "configuration.live-port", "configuration.json",
        "configuration.json-lines", "configuration.junit", "configuration.verbose", "configuration.assert",
        "configuration.endpoints", "configuration.egress", "configuration.baseline", "configuration.placement",
        "configuration.aeron-dir", "configuration.trace", "configuration.client-command", "configuration.client-timeout",
        "configuration.class-path", "configuration.started-in", "configuration.threads",
        CLUSTER + SettingKeys.PLACEMENT, CLUSTER + SettingKeys.BASE_DIR,
        CLUSTER + SettingKeys.BASE_PORT, CLUSTER + SettingKeys.CREDENTIALS_FILE, CLUSTER + "ingress.endpoints",
        CLUSTER + "echo.metrics", "machine.hostName", "machine.loadAverage", "machine.notRead", "jvm.settings");

    /** What results that are older than an option were measured with. */
    private static final Map<String, String> BEFORE_OPTIONS = Map.of(
        "configuration.driver", "java", CLUSTER + SettingKeys.DRIVER, "java",
        "configuration.stages", "false", CLUSTER + SettingKeys.STAGES, "false",
        "configuration.compilers", "both", CLUSTER + SettingKeys.COMPILERS, "both",
        "configuration.duty-cycle-interval", "0ns", CLUSTER + SettingKeys.WRITE_BACK, "kernel",
        "configuration.clients", "1", "configuration.ipc-ingress", "false");

    private static final String MACHINE = "machine.";

    /** Runs of one set may have different arrivals. */
    private static final String SEED = "configuration.seed";
    private static final String MESSAGES_SET = "configuration.messages-set";
    /** It follows from those two and from what is not recorded: the class, or the file with its payloads. */
    private static final String MESSAGES_DIGEST = "configuration.messages-digest";

    /**
     * A condition that differs between runs.
     *
     * @param key  under which the difference may be allowed. Several conditions may share a key; a condition without a shared key
     *             has its path as key.
     * @param path of the condition in the manifest, with dots.
     */
    record Difference(String key, String path, SortedSet<String> a, SortedSet<String> b)
    {
        boolean isWithinASet()
        {
            return a.size() > 1 || b.size() > 1;
        }

        /** Whether the sets differ. A set without the condition does not count as different. */
        boolean isBetweenTheSets()
        {
            return !a.isEmpty() && !b.isEmpty() && !a.equals(b);
        }
    }

    /** The conditions that differ between runs: guarded ones first, ordered by key and path. */
    static List<Difference> differences(final RunSet a, final RunSet b)
    {
        final List<SortedMap<String, String>> inA = a.runs().stream().map((run) -> of(run.manifest())).toList();
        final List<SortedMap<String, String>> inB = b.runs().stream().map((run) -> of(run.manifest())).toList();
        final List<SortedMap<String, String>> all = Stream.of(inA, inB).flatMap(Collection::stream).toList();
        return paths(all.stream()).filter((path) -> !MESSAGES_DIGEST.equals(path) || isAnyDifferent(path, all))
            .map((path) -> new Difference(key(path), path, values(inA, path), values(inB, path)))
            .filter((one) -> one.isWithinASet() || one.isBetweenTheSets()).toList();
    }

    /** Check the keys of {@code --allow-different}; rejects one of which no result has a condition. */
    static void check(final Set<String> allowed, final List<ComparedRun> runs)
    {
        allowed.forEach((key) -> InvalidSettingException.throwIf(
            !GUARDED.contains(key) && runs.stream().noneMatch((run) -> of(run.manifest()).containsKey(key)),
            "--allow-different", key,
            String.join(", ", GUARDED) + ", or the name of a condition in the manifests, as cluster.echo.mtu"));
    }

    /**
     * The conditions that decide with which other results one forms a series: those that make sets incomparable, and the other
     * settings of load and cluster. Versions and the JVM are what a series is made for.
     *
     * @param allowed keys of conditions that do not matter.
     */
    static SortedMap<String, String> ofSeries(final ComparedRun result, final Set<String> allowed)
    {
        final SortedMap<String, String> values = of(result.manifest());
        values.keySet().removeIf((path) -> allowed.contains(path) || allowed.contains(key(path)) ||
            !GUARDED.contains(key(path)) &&
            !path.startsWith(CONFIGURATION) && !path.startsWith(CLUSTER));
        return values;
    }

    /** Paths of the conditions that differ among results, guarded ones first. */
    static List<String> differing(final List<SortedMap<String, String>> all)
    {
        return paths(all.stream())
            .filter((path) -> !SEED.equals(path) && isAnyDifferent(path, all)).toList();
    }

    private static boolean isAnyDifferent(final String path, final List<SortedMap<String, String>> all)
    {
        return all.stream().anyMatch((one) -> all.stream().anyMatch((other) -> isDifferent(path, one, other)));
    }

    /** All paths, those of guarded conditions first. */
    private static Stream<String> paths(final Stream<SortedMap<String, String>> all)
    {
        return all.flatMap((one) -> one.keySet().stream()).distinct()
            .sorted(Comparator.comparingInt(Conditions::order).thenComparing(Comparator.naturalOrder()));
    }

    /** Whether a difference makes the sets incomparable unless it is allowed. */
    static boolean isForbidding(final Difference difference)
    {
        return GUARDED.contains(difference.key()) || difference.isWithinASet() && !SEED.equals(difference.path());
    }

    /** Whether two results differ in a condition. One that is not guarded and that only one has is newer than the other. */
    private static boolean isDifferent(
        final String path, final SortedMap<String, String> one, final SortedMap<String, String> other)
    {
        final boolean isMissing = !one.containsKey(path) || !other.containsKey(path);
        final boolean isExpected = MESSAGES_DIGEST.equals(path) && Stream.of(SEED, MESSAGES_SET)
            .anyMatch((cause) -> !one.getOrDefault(cause, "").equals(other.getOrDefault(cause, "")));
        return !isExpected && !one.getOrDefault(path, NONE).equals(other.getOrDefault(path, NONE)) &&
            (!isMissing || GUARDED.contains(key(path)));
    }

    private static SortedMap<String, String> of(final JsonNode manifest)
    {
        final SortedMap<String, String> conditions = new TreeMap<>();
        SECTIONS.forEach((section) -> manifest.path(section).properties().forEach((field) ->
            conditions.put(section + "." + field.getKey(), field.getValue().asText())));
        conditions.put("durability", manifest.path("durability").asText());
        conditions.put(ACCOUNTS, manifest.path(ACCOUNTS).asText("closed"));
        BEFORE_OPTIONS.forEach(conditions::putIfAbsent);
        // Results without it are older than emulation.
        conditions.put("placement", manifest.path("placement").asText("none emulated"));
        conditions.keySet().removeAll(IGNORED);
        return conditions;
    }

    private static Map<String, String> byPath(final Map<String, List<String>> paths)
    {
        final Map<String, String> keys = new HashMap<>();
        paths.forEach((key, ofKey) -> ofKey.forEach((path) -> keys.put(path, key)));
        return keys;
    }

    private static String key(final String path)
    {
        return path.startsWith(MACHINE) ? "machine" : KEY_BY_PATH.getOrDefault(path, path);
    }

    private static int order(final String path)
    {
        final int index = GUARDED.indexOf(key(path));
        return index < 0 ? GUARDED.size() : index;
    }

    private static SortedSet<String> values(final List<SortedMap<String, String>> conditions, final String path)
    {
        return conditions.stream().map((of) -> of.getOrDefault(path, NONE)).collect(Collectors.toCollection(TreeSet::new));
    }
}
