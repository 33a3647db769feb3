package io.clusterecho.control.command;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.member.AeronSettings;
import io.clusterecho.process.CommandHint;
import io.clusterecho.settings.Cause;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Io;
import io.clusterecho.settings.Settings;
import io.clusterecho.text.TextTable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Compares the settings of a member that others started with those that members here would have. */
@Command(
    name = "settings",
    mixinStandardHelpOptions = true,
    header = "Compare the settings of your own cluster with those of members here.",
    description = {
        "",
        "Prints each setting that differs, and what gives members here the same. Starts and changes nothing. Members here have " +
        "the profile stock unless another is set; settings.properties in a base folder has those of the members there." },
    exitCodeList = { "  0:printed", "  2:an option, a setting or a source is invalid" })
@CommandHelp(examples = {
        "cluster-node settings --of driver.properties --of cluster.properties",
        "cluster-node settings --of jcmd.txt cluster-data/settings.properties" })
public final class SettingsCommand implements Callable<Integer>
{
    @Mixin
    private ClusterOptions options;

    @Option(
        names = "--of", paramLabel = "FILE", required = true,
        description = "Properties for Aeron's launchers; what members printed with aeron.print.configuration=true; the output " +
        "of jcmd PID VM.system_properties, without what the code of that JVM sets. Repeatable, later ones win; required.")
    private List<Path> sources;

    @Override
    public Integer call()
    {
        final Map<String, String> properties = new TreeMap<>();
        final Map<String, String> printed = new TreeMap<>();
        sources.forEach((source) -> read(source, properties, printed));
        properties.keySet().removeIf((key) -> !key.matches("(aeron|agrona)\\..*"));
        final String all = sources.stream().map(Path::toString).collect(Collectors.joining(" "));
        InvalidSettingException.throwIf(
            properties.isEmpty() && printed.isEmpty(), "--of", all, "with aeron.* properties, or contexts that Aeron printed");
        final Map<String, String> theirs = properties.isEmpty() ? new TreeMap<>() :
            InvalidSettingException.parsed("--of", all, null, (ignored) -> AeronSettings.launched(properties));
        theirs.putAll(printed);
        final Map<String, String> assignments = new TreeMap<>();
        final Map<String, String> ours = ours(assignments);
        final Map<String, String> hints = hints(theirs, assignments);
        final Map<String, String> then = ours(assignments);
        // A key that no context prints was not tried, unless members reject it with any value.
        final TextTable table = new TextTable().left("key of Aeron").left("theirs").left("ours").left("to set");
        theirs.keySet().stream().filter((key) -> !theirs.get(key).equals(ours.get(key))).forEach((key) -> table.row(
            key, theirs.get(key), ours.getOrDefault(key, "not known"), hints.getOrDefault(
            key, theirs.get(key).equals(then.get(key)) ? "by another" :
            ours.containsKey(key) || !AeronSettings.canBeSet(key, "") ? "no counterpart" : "not tried")));
        System.out.println(table.text() + assignments.entrySet().stream()
            .map((one) -> " --set " + CommandHint.quoted(one.toString())).collect(Collectors.joining("", "to set all:", "")));
        return ControlFailure.DONE;
    }

    private static void read(final Path source, final Map<String, String> properties, final Map<String, String> printed)
    {
        final Map<String, String> contexts = Io.call(
            (ex) -> new InvalidSettingException("--of", source, "a file that can be read (" + Cause.of(ex) + ")"),
            () -> AeronSettings.printed(Files.readString(source, StandardCharsets.ISO_8859_1)));
        printed.putAll(contexts);
        properties.putAll(contexts.isEmpty() ? Settings.load(source) : Map.of());
    }

    /** What to set for each of Aeron's keys, added to the assignments as far as a context of a member then prints their value. */
    private Map<String, String> hints(final Map<String, String> theirs, final Map<String, String> assignments)
    {
        final Map<String, String> hints = new TreeMap<>();
        // An echo.* key may derive several of Aeron's, and depend on another; what still differs has Aeron's key.
        for (final boolean isOurs : new boolean[]{ true, true, false })
        {
            theirs.forEach((key, value) ->
            {
                final String name = isOurs ? AeronSettings.ours(key) : key;
                final String text = isOurs ? value.replaceFirst("aeron:.*term-length=([0-9]+).*", "$1") : value;
                final Map<String, String> tried = new TreeMap<>(assignments);
                tried.put(name, text);
                if (!name.isEmpty() && AeronSettings.canBeSet(key, value) && !value.equals(ours(assignments).get(key)) &&
                    value.equals(ControlFailure.orElse(() -> ours(tried).get(key), "")))
                {
                    assignments.put(name, text);
                    hints.put(key, name + "=" + text);
                }
            });
        }
        return hints;
    }

    private Map<String, String> ours(final Map<String, String> assignments)
    {
        final Settings settings = options.settings((given) -> { });
        if (!settings.isGiven(NodeSettings.PROFILE))
        {
            settings.put(NodeSettings.PROFILE.key(), NodeSettings.STOCK, "--of");
        }
        assignments.forEach((key, value) -> settings.put(key, value, "--of"));
        return AeronSettings.ofMember(new NodeConfig(settings), settings.foreignProperties());
    }
}
