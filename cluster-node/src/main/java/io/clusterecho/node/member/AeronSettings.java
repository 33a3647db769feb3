package io.clusterecho.node.member;

import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.aeron.ChannelUri;
import io.aeron.archive.Archive;
import io.aeron.cluster.ConsensusModule;
import io.aeron.driver.Configuration;
import io.aeron.driver.MediaDriver;

import org.agrona.SystemUtil;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.SystemNanoClock;

import io.clusterecho.host.HostFiles;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.platform.BuildFacts;

/**
 * Effective settings of Aeron's components by Aeron's keys, as their contexts print them, without addresses of channels and
 * objects. Channels have the terms and MTU of their driver, if none of their own. One thread, which sets system properties.
 */
public final class AeronSettings
{
    /** Value of a setting that is not set and has no default. */
    public static final String UNSET = "-";

    private static final Pattern FIELD = Pattern.compile(" {4}(\\w+)='?(.*?)'?");
    private static final String DEFAULT_BACKOFF = new BackoffIdleStrategy(
        Configuration.IDLE_MAX_SPINS, Configuration.IDLE_MAX_YIELDS, Configuration.IDLE_MIN_PARK_NS,
        Configuration.IDLE_MAX_PARK_NS).toString();
    /** By the name of the context and the field. */
    private static final Map<String, Known> KNOWN =
        BuildFacts.text("/io/clusterecho/node/member/aeron-settings.txt").lines().filter((line) -> !line.startsWith("#"))
        .map((line) -> line.split("\\|", 4)).collect(Collectors.toMap(
        (field) -> field[0], (field) -> new Known(field[1], field[2], field[3])));

    /** A line of {@code aeron-settings.txt}, which describes the fields. */
    private record Known(String key, String byDefault, String ours)
    {
    }

    /** The echo.* key that derives one of Aeron's, empty if there is none. */
    public static String ours(final String key)
    {
        return KNOWN.values().stream().filter((known) -> key.equals(known.key)).map(Known::ours).findFirst().orElse("");
    }

    /** Whether a text can set a key of Aeron, and members do not reject it, because each has a value of its own. */
    public static boolean canBeSet(final String key, final String value)
    {
        return !AeronKey.OURS.containsKey(key) && !value.matches(UNSET + "|.*[{$].*");
    }

    /** Settings in what components print with {@code aeron.print.configuration=true}; none in any other text. */
    public static SortedMap<String, String> printed(final String text)
    {
        // An idle strategy is null if another agent runs on the same thread.
        return printed(text, (known) -> UNSET.equals(known.byDefault) ? UNSET : null);
    }

    /** Settings of components that Aeron's launchers start with these properties. */
    public static SortedMap<String, String> launched(final Map<String, String> properties)
    {
        final SortedMap<String, String> settings = unlaunched(
            properties, () -> Stream.of(new MediaDriver.Context(), new Archive.Context(), new ConsensusModule.Context()));
        // Those that no context prints.
        properties.forEach(settings::putIfAbsent);
        return settings;
    }

    /** Settings of one of our members, with those of Aeron's keys that are given for it. */
    public static SortedMap<String, String> ofMember(final NodeConfig config, final Map<String, String> foreign)
    {
        return unlaunched(foreign, () ->
        {
            final MemberContexts contexts = new MemberContexts(
                config, new MemberFolder(config, config.memberDir(), null),
                new MemberFaults(System.err, Clock.systemUTC(), SystemNanoClock.INSTANCE, 0),
                new MemberThreads(config, HostFiles.ofThisMachine(), (line) -> { }), null);
            return Stream.of(contexts.driver(null), contexts.archive(), contexts.consensusModule());
        });
    }

    private static SortedMap<String, String> unlaunched(final Map<String, String> given, final Supplier<Stream<?>> contexts)
    {
        final Properties own = System.getProperties();
        final Properties only = (Properties)own.clone();
        only.keySet().removeIf((key) -> key.toString().startsWith("aeron."));
        only.putAll(given);
        try
        {
            System.setProperties(only);
            return printed(
                contexts.get().map(String::valueOf).collect(Collectors.joining("\n")),
                (known) -> given.getOrDefault(known.key, known.byDefault));
        }
        finally
        {
            System.setProperties(own);
        }
    }

    private static SortedMap<String, String> printed(final String text, final Function<Known, String> unset)
    {
        final SortedMap<String, String> settings = new TreeMap<>();
        final Deque<String> contexts = new ArrayDeque<>();
        String before = "";
        for (final String line : text.split("\r?\n"))
        {
            final Matcher field = FIELD.matcher(line);
            if ("{".equals(line))
            {
                contexts.push(before.replaceFirst("^.*=", "").replace(".Context", ""));
            }
            else if ("}".equals(line))
            {
                contexts.poll();
            }
            else if (field.matches() && KNOWN.containsKey(contexts.peek() + "." + field.group(1)))
            {
                final Known known = KNOWN.get(contexts.peek() + "." + field.group(1));
                final String value = field.group(2);
                Optional.ofNullable("null".equals(value) ? unset.apply(known) :
                    field.group(1).endsWith("Ns") ? duration(value) :
                    value.replace(DEFAULT_BACKOFF, BackoffIdleStrategy.ALIAS)
                    .replaceFirst("^\\w+\\{alias=([\\w-]+)}$|@[0-9a-f]+$", "$1"))
                    .ifPresent((set) -> settings.put(known.key, set));
            }
            before = line;
        }
        settings.replaceAll((key, value) -> value.startsWith("aeron:") ? withoutAddresses(value, settings) : value);
        return settings;
    }

    /** Of ns, in the largest unit of which it is a multiple. */
    private static String duration(final String ns)
    {
        return ns.replaceFirst("(?<=\\d)0{9}$", "s").replaceFirst("(?<=\\d)0{6}$", "ms").replaceFirst("(?<=\\d)0{3}$", "us")
            .replaceFirst("(?<=\\d)$", "ns");
    }

    private static String withoutAddresses(final String channel, final Map<String, String> settings)
    {
        final ChannelUri uri = ChannelUri.parse(channel);
        final String driver = uri.isIpc() ? "aeron.ipc." : "aeron.";
        final String termLength =
            uri.get("term-length", settings.getOrDefault(driver + "term.buffer.length", uri.isIpc() ? "64m" : "16m"));
        final String mtu = uri.get("mtu", settings.getOrDefault(driver + "mtu.length", "1408"));
        final Map<String, String> parameters = new TreeMap<>();
        uri.forEachParameter(parameters::put);
        parameters.keySet().removeAll(List.of("endpoint", "control", "interface", "alias"));
        parameters.put("term-length", String.valueOf(SystemUtil.parseSize("term-length", termLength)));
        parameters.put("mtu", String.valueOf(SystemUtil.parseSize("mtu", mtu)));
        return "aeron:" + uri.media() + "?" + parameters.entrySet().stream().map(Map.Entry::toString)
            .collect(Collectors.joining("|"));
    }
}
