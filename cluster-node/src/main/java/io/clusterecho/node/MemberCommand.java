package io.clusterecho.node;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.member.ExitStatus;
import io.clusterecho.node.member.MemberProcess;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Setting;
import io.clusterecho.settings.Settings;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs one member in this process. */
@Command(
    name = "cluster-node",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    header = "Run one member of the cluster, or its backup, in this process.",
    description = { "", "Runs until it receives SIGTERM or Ctrl-C. 'start' starts all members of a cluster." },
    footer = {
        "",
        "Settings come from defaults, then the files in order, then -Decho.KEY=VALUE, then the options; later ones win.",
        "Aeron's own aeron.* keys in files or -D override what is derived from echo.* keys. The id and the folders of a member " +
        "are set with echo.* keys only; Aeron's keys for these are rejected." })
public class MemberCommand implements Callable<Integer>
{
    private static final List<Setting<?>> OPTIONS = List.of(
        NodeSettings.MEMBER_ID, NodeSettings.DRIVER.kind(), NodeSettings.CLASS_PATH, NodeSettings.INSECURE);

    private CommandSpec spec;

    @Option(
        names = "--backup",
        description = "Run the backup of the cluster in this process, in place of a member; needs echo.backup=true.")
    private boolean isBackup;

    @Option(
        names = "--set", paramLabel = "KEY=VALUE", description = "Set any key, as in --set echo.fsync=1; repeatable.")
    private List<String> assignments = new ArrayList<>();

    @Option(names = "--print-config", description = "Print the effective configuration and exit.")
    private boolean isPrintConfig;

    @Parameters(paramLabel = "FILE.properties", description = "Property files with settings, in UTF-8.")
    private List<Path> files = new ArrayList<>();

    /** The command line of this command, or of one with subcommands. */
    public CommandLine commandLine()
    {
        final CommandLine commandLine = new CommandLine(this);
        spec = commandLine.getCommandSpec();
        final Map<String, String> exitCodes = new LinkedHashMap<>();
        Stream.of(ExitStatus.values()).forEach((status) -> exitCodes.put("  " + status.code(), status.reason()));
        spec.usageMessage().exitCodeList(exitCodes);
        addOptions(spec, OPTIONS);
        return commandLine;
    }

    /** Add an option for each setting, which is named after its key: {@code --base-port} for {@code echo.base.port}. */
    public static void addOptions(final CommandSpec command, final List<Setting<?>> settings)
    {
        for (final Setting<?> setting : settings)
        {
            final boolean isFlag = "false".equals(setting.defaultText());
            final String what = setting.doc().replaceFirst("[.:;] .*", "");
            command.addOption(OptionSpec.builder(nameOf(setting)).type(isFlag ? boolean.class : String.class)
                .arity(isFlag ? "0" : "1").paramLabel(isFlag ? "" : "VALUE").description((isFlag ? what :
                what.replaceFirst("\\.$", "") + ": " + setting.allowed()).replace("%", "%%") +
                " (" + setting.key() + "; default: " + setting.defaultText() + ").").build());
        }
    }

    /** Set the settings for which there are options, where these were given. */
    public static void putOptions(final CommandSpec command, final List<Setting<?>> from, final Settings settings)
    {
        final CommandLine.ParseResult given = command.commandLine().getParseResult();
        for (final Setting<?> setting : from)
        {
            final OptionSpec option = given.matchedOption(nameOf(setting));
            if (null != option)
            {
                settings.put(setting.key(), String.valueOf(option.<Object>getValue()), nameOf(setting));
            }
        }
    }

    private static String nameOf(final Setting<?> setting)
    {
        return "--" + setting.key().substring(NodeSettings.PREFIX.length()).replace('.', '-');
    }

    @Override
    public Integer call()
    {
        final Settings settings = settings();
        final NodeConfig config = isBackup ? NodeConfig.ofBackup(settings) : new NodeConfig(settings);
        final MemberProcess process = new MemberProcess(config, settings, MemberProcess::services, System.out, System.err);
        if (isPrintConfig)
        {
            printConfig(config);
            return ExitStatus.OK.code();
        }

        return process.run().code();
    }

    private Settings settings()
    {
        // A mistyped command would be taken for a file of settings.
        files.stream().filter((file) -> !Files.exists(file)).map(Path::toString).filter((name) -> name.matches("[a-z-]+"))
            .findFirst().ifPresent((name) ->
            {
                throw new CommandLine.UnmatchedArgumentException(spec.commandLine(), List.of(name));
            });
        final Settings settings = new Settings(NodeSettings.PREFIX, NodeSettings.ALL)
            .putFiles(files)
            .putSystemProperties(System.getProperties())
            .putAssignments(assignments, "--set");
        putOptions(spec, OPTIONS, settings);
        InvalidSettingException.throwIf(
            isBackup && spec.commandLine().getParseResult().hasMatchedOption(nameOf(NodeSettings.MEMBER_ID)),
            nameOf(NodeSettings.MEMBER_ID), settings.text(NodeSettings.MEMBER_ID), "must not be set with --backup");
        return settings;
    }

    private static void printConfig(final NodeConfig config)
    {
        final Map<String, String> lines = new TreeMap<>(config.effective());
        System.getProperties().stringPropertyNames().stream()
            .filter((key) -> key.startsWith("aeron.") || key.startsWith("agrona."))
            .forEach((key) -> lines.put(key, System.getProperty(key)));
        lines.forEach((key, value) -> System.out.println(key + "=" + value));
    }
}
