package io.clusterecho.control.doctor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.control.command.CommandHelp;
import io.clusterecho.control.command.ClusterOptions;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.MemberLauncher;
import io.clusterecho.host.DiskPlace;
import io.clusterecho.host.HostFiles;
import io.clusterecho.node.config.MemberEndpoints;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.config.OwnAddress;
import io.clusterecho.platform.MachineFacts;
import io.clusterecho.platform.PathMtu;
import io.clusterecho.process.JavaCommand;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Settings;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Checks whether this host is fit for the members and clients that will run on it. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    header = "Check whether this host is fit for a cluster.",
    description = {
        "",
        "Prints one line per check with what was found, what is wanted, and a command that fixes it. Changes nothing and needs " +
        "no root. Takes a second, in which it loads the disk: do not run it during a measurement." },
    footer = {
        "",
        "Pass the same settings as to start. Members whose host is an address of this machine run here.",
        "Results: ok, warn (worse numbers), fail (does not work, or numbers are meaningless), unknown." },
    exitCodeList = {
        "  0:no check failed",
        "  2:invalid option or setting",
        "  4:a check failed" })
@CommandHelp(examples = {
        "cluster-node doctor",
        "cluster-node doctor --fsync 1 --base-dir /data/cluster" })
public final class DoctorCommand implements Callable<Integer>
{
    private static final int UNFIT = 4;
    private static final int MAX_CLIENTS = 99;
    private static final String FORMAT = "cluster-echo-doctor/1";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @Mixin
    private ClusterOptions options;

    @Option(
        names = "--member-id", paramLabel = "N",
        description = "The only member on this host (default: all members with an address of this host).")
    private Integer memberId;

    @Option(
        names = "--clients", paramLabel = "N", defaultValue = "1",
        description = "Number of load clients on this host (default: ${DEFAULT-VALUE}).")
    private int clientCount;

    @Option(
        names = "--peer", paramLabel = "HOST",
        description = "Another host, of clients or members, to check the path MTU to; repeatable.")
    private List<String> peers = new ArrayList<>();

    @Option(names = "--json", description = "Print the result, and an error, as JSON, with all facts of the machine.")
    private boolean isJson;

    @Override
    public Integer call()
    {
        final HostPlan plan = plan();
        final List<Check> checks = checks(plan, HostFiles.ofThisMachine());
        final Map<String, Long> counts = new LinkedHashMap<>();
        Stream.of(Check.Level.values()).forEach((level) ->
            counts.put(level.text(), checks.stream().filter((check) -> level == check.level()).count()));
        final boolean isFit = 0 == counts.get(Check.Level.FAIL.text());
        if (isJson)
        {
            System.out.println(json(plan, checks, counts, isFit).toPrettyString());
        }
        else
        {
            System.out.println("This host, for " + plan.coreNeed().users() + ":");
            checks.forEach((check) -> System.out.println(check.line()));
            System.out.println(counts.entrySet().stream().map((entry) -> entry.getValue() + " " + entry.getKey())
                .collect(Collectors.joining(", ")) + (isFit ? "" : ": this host is not fit"));
        }

        return isFit ? ControlFailure.DONE : UNFIT;
    }

    private static ObjectNode json(
        final HostPlan plan, final List<Check> checks, final Map<String, Long> counts, final boolean isFit)
    {
        final ObjectNode json = MAPPER.createObjectNode().put("format", FORMAT).put("fit", isFit);
        json.set("counts", MAPPER.valueToTree(counts));
        final ObjectNode planned = json.putObject("plan").put("members", plan.memberCount())
            .put("clients", plan.clientCount()).put("threads", plan.coreNeed().threadCount());
        plan.config().effective().forEach(planned::put);
        json.set("checks", MAPPER.valueToTree(checks));
        final DiskPlace place = DiskPlace.of(NodeSettings.BASE_DIR.key(), plan.config().baseDir());
        json.set("machine", MAPPER.valueToTree(MachineFacts.machine(Path.of(place.folder()))));
        return json;
    }

    private static List<Check> checks(final HostPlan plan, final HostFiles host)
    {
        // Each path is measured once.
        final Map<String, Optional<PathMtu>> paths = new HashMap<>();
        final SystemChecks system = new SystemChecks(plan, host, (name) -> paths.computeIfAbsent(
            name, (other) -> PathMtu.to(other, plan.probePort(other), plan.config().mtuLength())));
        final List<Check> checks = new ArrayList<>(new ProcessorChecks(plan, host).all(system.card()));
        checks.addAll(system.ofKernel());
        checks.addAll(system.ofNetwork());
        checks.addAll(new StorageChecks(plan, host, StorageChecks::space).all());
        return checks;
    }

    private HostPlan plan()
    {
        InvalidSettingException.throwIf(
            clientCount < 0 || clientCount > MAX_CLIENTS, "--clients", clientCount, "a whole number from 0 to " + MAX_CLIENTS);

        final Settings settings = options.settings((given) -> Optional.ofNullable(memberId).ifPresent(
            (id) -> given.put(NodeSettings.MEMBER_ID.key(), String.valueOf(id), "--member-id")));
        options.putMemberCount(settings);
        final List<MemberEndpoints> members = new NodeConfig(settings).members().stream().filter((member) ->
            null != memberId ? memberId == member.memberId() : OwnAddress.isOwn(member.host())).toList();
        // Derived values, the profile among them, are those of a member that runs here.
        members.stream().findFirst().ifPresent((first) ->
            settings.put(NodeSettings.MEMBER_ID.key(), String.valueOf(first.memberId()), "doctor"));
        return new HostPlan(
            new NodeConfig(settings), members, clientCount, List.copyOf(peers),
            null != options.jvmOptions() ? options.jvmOptions().toAbsolutePath() :
                JavaCommand.placeOf(MemberLauncher.class).resolveSibling(MemberLauncher.JVM_OPTIONS));
    }
}
