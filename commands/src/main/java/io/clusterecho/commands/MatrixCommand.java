package io.clusterecho.commands;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.clusterecho.client.run.DeclaredOption;
import io.clusterecho.client.run.DriverConfig;
import io.clusterecho.client.run.LoadConfig;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.run.TargetConfig;
import io.clusterecho.client.run.ThreadConfig;
import io.clusterecho.client.run.TransportNames;
import io.clusterecho.client.series.RunSeries;
import io.clusterecho.client.series.TestCluster;
import io.clusterecho.client.sweep.Dimension;
import io.clusterecho.client.sweep.SweepDocument;
import io.clusterecho.client.sweep.SweepExecution;
import io.clusterecho.client.sweep.SweepPlan;
import io.clusterecho.client.sweep.SweepRecord;
import io.clusterecho.client.sweep.SweepRun;
import io.clusterecho.control.command.CommandHelp;
import io.clusterecho.control.remote.Inventory;
import io.clusterecho.failover.lab.FollowerFaults;
import io.clusterecho.media.zone.Placement;
import io.clusterecho.node.member.FolderLock;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.process.CommandHint;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.ResultFolder;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.Threshold;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.SettingKeys;
import io.clusterecho.settings.Settings;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Every combination of given settings, on clusters that are started for them. */
@Command(
    name = "matrix",
    header = "Measure every combination of settings of a sweep file.",
    description = {
        "",
        "Starts and stops a cluster for each combination of member settings, and with bin/peers the servers of other systems. " +
        "Whole rounds are repeated rather than single cells, so drift of the machine favours no cell. Each run is stored at " +
        "once: given the folder of an interrupted sweep, the command resumes it." },
    exitCodeList = {
        "  0:every cell is GOOD",
        "  1:internal error",
        "  2:usage: the message names the option, its value and what is allowed",
        "  4:a cell is not GOOD, or the result is incomplete",
        "130:interrupted; what was measured is kept" })
@CommandHelp(
    examples = {
        "load-client matrix config/matrix/quick",
        "load-client matrix config/matrix/fsync --repeats 5 --scale 10%",
        "peers matrix config/matrix/aws-guide-transport --scale 10%",
        "load-client matrix results/20261122-101500-quick  # resume" },
    mostUsed = {
        "--repeats", "--duration", "--scale", "--set", "--rate", "--size", "--label", "--output", "--json" },
    described = {
        "--rate=Messages per second of all cells, such as 1.5k or 1M. Default: the file's.",
        "--size=Length of a message of all cells in bytes, such as 288 or 2KB. Default: the file's.",
        "--warm-up=Load at the same rate before the measured window of each run. Default: the file's.",
        "--label=Name of the result. Blanks and other special characters become dashes in the folder's name. " +
        "Default: the file's name." },
    without = {
        "--(endpoints|aeron-dir)", "--transport.*", "--mtu", "--memory-.*", "--kind", "--trace.*", LoadCommand.Options.BESIDE })
final class MatrixCommand extends LoadCommand
{
    /** Keys of the sweep file by the options that override them. */
    private static final Map<String, String> KEYS = Map.of(
        "--repeats", "repeats", "--duration", "duration", "--scale", "scale", "--warm-up", "warm-up", "--rate",
        Dimension.RATE.key(), "--size", Dimension.SIZE.key(), DriverConfig.KIND, Dimension.DRIVER.key(),
        DriverConfig.RECEIVE_VECTOR, Dimension.RECEIVE_VECTOR.key(), DriverConfig.SEND_VECTOR, Dimension.SEND_VECTOR.key(),
        DriverConfig.MESSAGES_PER_SEND, Dimension.MESSAGES_PER_SEND.key());

    private static final String FILE_END = ".properties";
    private static final String CLUSTER_DIR = "matrix";
    private static final String LOCK_FILE = "matrix.lock";
    /** Options that may differ when a sweep is resumed: they do not change what is measured, or the plan has them. */
    private static final Set<String> FREE_OPTIONS = Stream.concat(
        KEYS.keySet().stream().map((option) -> option.substring(2)),
        Stream.of("output", "label", "json", "junit", "quiet", "config", "set")).collect(Collectors.toSet());

    /** Options of a load that is not at a rate, and those that say where its system and its result are. */
    private static final Set<String> OF_ALL_LOADS =
        Set.of("--idle", TargetConfig.BASE_DIR, "--inventory", "--output", "--label", "--config");
    private static final Set<String> OF_PING_PONG = Set.of("--connections", ThreadConfig.CORE);

    @Parameters(paramLabel = "FILE|DIR",
        description = "A sweep file, with or without .properties, or the result folder of a sweep to resume.")
    private Path path;

    // Their texts are read by KEYS: the sweep file has the same form.
    @Option(names = "--repeats", paramLabel = "N", description = "Repeats of each cell. Default: the file's.")
    private String repeats;

    @Option(names = { "--duration", "-d" }, paramLabel = "TIME",
        description = "Length of the measured window of each run. Default: the file's.")
    private String duration;

    @Option(names = "--scale", paramLabel = "FACTOR",
        description = "Scale all rates, such as 0.1 or 10%%, for slower machines.")
    private String scale;

    @Option(names = "--set", paramLabel = "KEY=VALUE",
        description = "Key of the sweep file, such as a member setting; overrides the file's value; repeatable.")
    private List<String> assignments = new ArrayList<>();

    @Override
    public Integer call()
    {
        final RunConfig config = config();
        config.load().checkFixedWarmUp("matrix");
        final boolean isResumed = Files.isRegularFile(path.resolve(DocumentKind.SWEEP.fileName()));
        final SweepPlan plan = isResumed ? SweepRecord.plan(path) : planOfFile(config.load());
        if (isResumed)
        {
            final SweepDocument begun = SweepRecord.document(path);
            checkSameOptions(config, begun);
            checkSameBuild(begun, path);
        }
        final boolean isOwn = config.load().codec().isGiven();
        InvalidSettingException.throwIf(
            !plan.cells().stream().allMatch((cell) -> isOwn == Dimension.NONE.equals(cell.value(Dimension.SIZE))),
            Dimension.SIZE.key(), String.join(",", plan.values().get(Dimension.SIZE)),
            isOwn ? "one value, without effect, with " + config.load().replacement() : "numbers of bytes without --messages");
        config.load().codec().checkService(plan.settings().getOrDefault(SettingKeys.SERVICE_CLASS, ""), null);
        FollowerFaults.check(plan, config);
        checkTransports(plan, config);
        final Path clusterDir = config.target().clusterDir().toAbsolutePath().normalize().resolve(CLUSTER_DIR);
        if (!isResumed)
        {
            SweepExecution.check(plan, config.target().inventory(), clusterDir);
        }
        try (RunSeries series = RunSeries.begin(false);
            FolderLock lock = lock(clusterDir))
        {
            stopLeftOver(clusterDir, config.target().inventory());
            final SweepRecord record = isResumed ? SweepRecord.resume(path) : begun(config, plan);
            print.progress("results in " + record.folder().path() + "; " + (record.runCount() - record.doneCount()) + " of " +
                record.runCount() + " runs left");
            new SweepExecution(
                record, series,
                (faulted, cell) -> FollowerFaults.measure(faulted, cell, series.endRequest(), print::progress), config,
                clusterDir, print.isQuiet() ? null : System.err::println).execute();
            final int exitStatus = print.result(record.end());
            if (!record.isWhole())
            {
                final String program =
                    plan.values().get(Dimension.TRANSPORT).equals(List.of(TransportNames.CLUSTER)) ? "load-client" : "peers";
                System.err.println("to resume: " + CommandHint.of(program, "matrix ") + record.folder().path() +
                    " and the same options of the load");
            }
            return exitStatus;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot work in " + clusterDir + " or with " + path, ex);
        }
    }

    /** Lock the folder for clusters, which is created if missing, against other sweeps. */
    private static FolderLock lock(final Path clusterDir) throws IOException
    {
        Files.createDirectories(
            clusterDir, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        return FolderLock.of(clusterDir.resolve(LOCK_FILE)).orElseThrow(
            () -> new InvalidSettingException("--base-dir", clusterDir.getParent(), "a folder that no other sweep uses"));
    }

    /** Stop the cluster that a killed sweep left running, here unless there is an inventory of hosts, and delete its data. */
    private void stopLeftOver(final Path clusterDir, final Inventory inventory)
    {
        TestCluster.left(clusterDir, inventory, (line) -> { }).ifPresent((left) ->
        {
            if (left.cluster().isAnyAlive())
            {
                print.progress("stopping a cluster left by a killed sweep in " + clusterDir);
            }
            left.stop();
            left.deleteData();
        });
    }

    private void checkTransports(final SweepPlan plan, final RunConfig config)
    {
        final List<String> transports = plan.values().get(Dimension.TRANSPORT);
        if (!transports.equals(List.of(TransportNames.CLUSTER)))
        {
            final Inventory inventory = config.target().inventory();
            InvalidSettingException.throwIf(
                null != inventory && inventory.peer().isEmpty(), "--inventory", inventory,
                "one that gives a host the role peer, for the servers of other systems than the cluster");
            plan.require(
                Dimension.TRANSPORT,
                (name) -> null == inventory || !TransportNames.isCluster(name) && TransportNames.kind(name).isRemote(),
                "with --inventory the cluster alone, or systems with one server that is reached over the network");
            final boolean isEmulated =
                transports.contains(TransportNames.CLUSTER) && 1 == plan.values().get(Dimension.PLACEMENT).size();
            plan.require(
                Dimension.PLACEMENT, (placement) -> null != inventory || isEmulated || Placement.NONE.equals(placement),
                "none with other systems than the cluster on this machine: no distances are emulated for them");
            config.clients().checkAlone("a sweep of other systems than the cluster");
        }
        InvalidSettingException.throwIf(
            plan.values().get(Dimension.RATE).contains(Dimension.MAX) && !config.thresholds().isEmpty(), "--assert",
            Threshold.join(config.thresholds()),
            "not given where rates are searched (rate=max): the conditions of a search are slo in the sweep file");
        final Set<String> loads = plan.cells().stream().filter((cell) -> !cell.isAtARate())
            .map((cell) -> cell.value(Dimension.LOAD)).collect(Collectors.toSet());
        if (!loads.isEmpty())
        {
            checkLoads(loads, config);
        }
    }

    /** A load that is not at a rate has a client of its own, which has few of the options. */
    private void checkLoads(final Set<String> loads, final RunConfig config)
    {
        final String ofRates = "not given with load=" + String.join(",", new TreeSet<>(loads)) + ", which does not have it";
        InvalidSettingException.throwIf(
            !config.thresholds().isEmpty(), RunConfig.ASSERT, Threshold.join(config.thresholds()), ofRates);
        final Set<String> taken = new TreeSet<>(KEYS.keySet());
        taken.addAll(OF_ALL_LOADS);
        if (loads.equals(Set.of("ping-pong")))
        {
            taken.addAll(OF_PING_PONG);
        }
        DeclaredOption.ALL.stream().map(DeclaredOption::name).filter((option) -> !taken.contains(option) && isGiven(option))
            .findFirst().ifPresent((option) ->
            {
                throw new InvalidSettingException(option, given(option), ofRates);
            });
    }

    private SweepPlan planOfFile(final LoadConfig load)
    {
        final Path file = Files.isRegularFile(path) ? path : path.resolveSibling(path.getFileName() + FILE_END);
        InvalidSettingException.throwIf(
            !Files.isRegularFile(file), "FILE|DIR", path,
            "a sweep file (such as config/matrix/quick" + FILE_END + "), or the folder of a sweep, with a " +
            DocumentKind.SWEEP.fileName());

        final Map<String, String> properties = new TreeMap<>(Settings.load(file));
        KEYS.keySet().stream().filter(this::isGiven).forEach((option) -> properties.put(KEYS.get(option), given(option)));
        for (final String assignment : assignments)
        {
            final int equals = assignment.indexOf('=');
            InvalidSettingException.throwIf(equals < 1, "--set", assignment, "KEY=VALUE, such as echo.base.port=30000");
            properties.put(assignment.substring(0, equals), assignment.substring(equals + 1));
        }
        if (load.codec().isGiven() && !properties.getOrDefault(Dimension.SIZE.key(), "").contains(",") &&
            properties.keySet().stream().noneMatch((key) -> key.startsWith(Dimension.SIZE.key() + "@")))
        {
            properties.put(Dimension.SIZE.key(), Dimension.NONE);
        }
        return SweepPlan.parse(properties, file.toString());
    }

    private SweepRecord begun(final RunConfig config, final SweepPlan plan)
    {
        final Instant start = Instant.now();
        final String label = config.label(
            path.getFileName().toString().replace(FILE_END, "").replaceAll("[^A-Za-z0-9._-]", "-"));
        return SweepRecord.begin(
            ResultFolder.create(config.output(), label, start), plan, new RunDescription(
            label, start, config.commandLine(), configuration(config.options(), plan), Map.of(),
            "see each cell", "see each cell", 0));
    }

    /** The options as the runs have them: where the plan sets one, its value, unless that differs between cells. */
    static Map<String, String> configuration(final Map<String, String> options, final SweepPlan plan)
    {
        final Map<String, String> configuration = new TreeMap<>(options);
        configuration.put("warm-up", plan.warmUpNs() + "ns");
        configuration.put("duration", plan.durationNs() + "ns");
        KEYS.forEach((option, key) -> Dimension.of(key).ifPresent((dimension) ->
        {
            final List<String> values = plan.values().get(dimension);
            if (1 == values.size())
            {
                configuration.put(option.substring(2), values.get(0));
            }
            else
            {
                configuration.remove(option.substring(2));
            }
        }));
        return configuration;
    }

    private void checkSameOptions(final RunConfig config, final SweepDocument document)
    {
        final Map<String, String> began = new TreeMap<>(document.provenance().configuration());
        for (final String option : Stream.concat(KEYS.keySet().stream(), Stream.of("--set")).filter(this::isGiven).toList())
        {
            InvalidSettingException.throwIf(
                !given(option).equals(began.get(option.substring(2))), option, given(option),
                "a resumed sweep keeps that of " + path);
        }
        // Recorded by an earlier version, and known no more.
        began.keySet().removeIf((option) -> null == spec.findOption("--" + option) && !config.options().containsKey(option));
        checkSame(began, config.options(), path);
    }

    static void checkSame(final Map<String, String> began, final Map<String, String> resumed, final Path path)
    {
        final Set<String> options = new TreeSet<>(began.keySet());
        options.addAll(resumed.keySet());
        options.removeAll(FREE_OPTIONS);
        for (final String option : options)
        {
            final String before = began.getOrDefault(option, "");
            final String now = resumed.getOrDefault(option, "");
            InvalidSettingException.throwIf(
                !now.equals(before), "--" + option, now.isEmpty() ? "(not given)" : now,
                (before.isEmpty() ? "not given" : before) + ", as when the sweep in " + path + " began");
        }
    }

    /** Medians and ratios of two builds would be stated as those of one. */
    static void checkSameBuild(final SweepDocument document, final Path path)
    {
        final Map<String, String> versions = BuildFacts.versions();
        for (final String program : List.of("cluster-echo", "commit", "aeron"))
        {
            final String version = versions.get(program);
            final String before = document.provenance().versions().getOrDefault(program, version);
            InvalidSettingException.throwIf(
                document.runs().stream().anyMatch(SweepRun::isStarted) && !version.equals(before),
                path + " was measured with " + program + " " + before + ", this is " + version +
                ": resume it with that build, or begin another sweep");
        }
    }

    /** The text of an option on the command line, the last one of several. */
    private String given(final String option)
    {
        final List<String> texts = spec.commandLine().getParseResult().matchedOption(option).stringValues();
        return texts.get(texts.size() - 1);
    }
}
