package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.MemberLauncher;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.service.MutantService;
import io.clusterecho.node.service.Mutation;
import io.clusterecho.process.JavaCommand;

/** Runs a cluster whose members make errors under load, and checks that the tool finds them. */
final class Mutants
{
    static final int LEADER = 0;

    private static final String STATE_DIFFERS = "state-differs";
    private static final Pattern RIGHT = Pattern.compile(".*last correct at position (\\d+)");

    private final EchoCluster cluster;
    private final Path folder;
    private final List<List<Mutation>> mutations = new ArrayList<>(List.of(List.of(), List.of(), List.of()));
    private final Map<Integer, Long> delaysNs = new TreeMap<>();
    private JsonNode load;
    private int loadExitCode;
    private JsonNode audit;

    /**
     * Members without errors.
     *
     * @param cluster from {@link #cluster()}, not started.
     * @param folder  for files of the test.
     */
    Mutants(final EchoCluster cluster, final Path folder)
    {
        this.cluster = cluster;
        this.folder = folder;
    }

    /** A cluster with a known leader, which remains leader however busy the machine is. */
    static EchoCluster cluster()
    {
        return new EchoCluster(3)
            .with("aeron.cluster.appointed.leader.id", String.valueOf(LEADER))
            .with(NodeSettings.HEARTBEAT_TIMEOUT.key(), "5s");
    }

    /**
     * Let a member make errors.
     *
     * @param memberId of the member, {@link #LEADER} or a follower's.
     * @param kinds    of errors, made round-robin.
     * @return this for a fluent API.
     */
    Mutants member(final int memberId, final Mutation... kinds)
    {
        mutations.set(memberId, List.of(kinds));
        return this;
    }

    /**
     * Let a member without errors need more time for each message.
     *
     * @param memberId of the member.
     * @param delayNs  in ns.
     * @return this for a fluent API.
     */
    Mutants slow(final int memberId, final long delayNs)
    {
        delaysNs.put(memberId, delayNs);
        return this;
    }

    /**
     * Start the cluster, offer load, stop it and audit.
     *
     * @param interval messages for each mutation.
     * @param options  of the load.
     */
    void run(final int interval, final String... options) throws IOException
    {
        cluster.launchWith(launcher(interval)).start();
        assertThat(cluster.awaitLeader().memberId()).isEqualTo(LEADER);

        final List<String> all = new ArrayList<>(List.of(options));
        all.addAll(List.of(
            "--warm-up", "0s", "--connect-timeout", "60s", "--json", "--quiet",
            "--output=" + folder));
        final CommandResult result = cluster.loadClient(all.toArray(new String[0]));
        assertThat(result.out()).as("%s", result).isNotEmpty();
        loadExitCode = result.exitCode();
        load = result.json();
        cluster.stop();
        audit = cluster.loadClient("audit", "--json").json();
    }

    /** What the load client counted. */
    long counted(final String name)
    {
        return load.get(name).asLong();
    }

    /** Check that the load client failed the run, and not only because a busy machine missed the rate. */
    void assertRunFailedFor(final String reason)
    {
        assertThat(loadExitCode).as("%s", load.get("verdict")).isEqualTo(4);
        assertThat(load.at("/verdict/reasons")).as("%s", load.get("verdict"))
            .anySatisfy((text) -> assertThat(text.asText()).contains(reason));
    }

    /** Check that the load client reports no errors of replies. */
    void assertAccountsAreClean()
    {
        for (final String name : List.of("unanswered", "neverSent", "duplicates", "outOfOrder", "corrupt", "gaps", "forgotten"))
        {
            assertThat(counted(name)).as(name).isZero();
        }
    }

    /** Number of the leader's errors, from its output. */
    long made(final Mutation mutation)
    {
        return mutationLines(LEADER).filter((line) -> line.endsWith(": " + mutation)).count();
    }

    /** Check that the audit names exactly the members whose state is wrong, and the position at which it became wrong. */
    void assertAuditNamesTheMutants()
    {
        final TreeSet<Integer> expected = new TreeSet<>();
        for (final ClusterMember member : cluster.members())
        {
            final List<Mutation> kinds = mutations.get(member.memberId());
            for (final Mutation kind : kinds)
            {
                assertThat(mutationLines(member.memberId())).as("errors of member %d", member.memberId())
                    .anyMatch((line) -> line.endsWith(": " + kind));
            }
            // Replies are not part of the state.
            if (!List.of(Mutation.CORRUPT_REPLY).containsAll(kinds))
            {
                expected.add(member.memberId());
            }
            assertThat(audit.at("/members/" + member.memberId() + "/states").asInt())
                .as("checked state digests of member %d", member.memberId()).isGreaterThan(1);
        }

        final TreeSet<Integer> named = new TreeSet<>();
        for (final JsonNode finding : audit.get("findings"))
        {
            assertThat(finding.get("kind").asText()).as("%s", finding).isEqualTo(STATE_DIFFERS);
            named.add(finding.get("member").asInt());
            assertEncloses(finding, finding.get("member").asInt());
        }
        assertThat(named).as("%s", audit.get("findings")).isEqualTo(expected);
        assertThat(audit.get("clean").asBoolean()).isEqualTo(expected.isEmpty());
    }

    private Stream<String> mutationLines(final int memberId)
    {
        return cluster.members().get(memberId).output().stream().filter((line) -> line.startsWith(MutantService.MARK));
    }

    /** End position of the first message that a member mutated. */
    private long firstMutant(final int memberId)
    {
        final String line = mutationLines(memberId).findFirst().orElseThrow();
        return Long.parseLong(line.substring(MutantService.MARK.length(), line.indexOf(':')));
    }

    /**
     * Check that the finding follows the first error and names the last correct state before it. There is none if the first
     * state digest is already wrong.
     */
    private void assertEncloses(final JsonNode finding, final int memberId)
    {
        final long firstMutant = firstMutant(memberId);
        assertThat(finding.get("position").asLong()).as("%s", finding).isGreaterThanOrEqualTo(firstMutant);
        final long firstState = firstState(memberId);
        final Matcher right = RIGHT.matcher(finding.get("text").asText());
        assertThat(right.matches()).as("%s, first state at %d", finding, firstState).isEqualTo(firstState < firstMutant);
        if (right.matches())
        {
            assertThat(Long.parseLong(right.group(1))).as("%s", finding).isLessThan(firstMutant);
        }
    }

    /** Position of a member's first state digest. */
    private long firstState(final int memberId)
    {
        final Path states = cluster.members().get(memberId).dir().resolve("cluster").resolve("state.log");
        try (Stream<String> lines = Files.lines(states))
        {
            return lines.findFirst().map((line) -> Long.parseLong(line.substring(0, line.indexOf(' ')))).orElseThrow();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Starts {@link MutantMember} instead of a member, from a jar with only a manifest, whose class path leads to the code. */
    MemberLauncher launcher(final int interval) throws IOException
    {
        final MemberLauncher real = EchoCluster.launcher();
        final Path jar = folder.resolve("mutant-member.jar");
        final Manifest manifest;
        try (JarFile file = new JarFile(real.jar().toFile()))
        {
            manifest = new Manifest(file.getManifest());
        }
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, MutantMember.class.getName());
        manifest.getMainAttributes().put(
            Attributes.Name.CLASS_PATH,
            real.jar().toUri() + " " + JavaCommand.placeOf(MutantMember.class).toUri());
        try (OutputStream out = Files.newOutputStream(jar))
        {
            new JarOutputStream(out, manifest).close();
        }

        final List<String> options = new ArrayList<>(Files.readAllLines(real.jvmOptions()));
        for (int i = 0; i < mutations.size(); i++)
        {
            options.add("-D" + MutantMember.KIND + i + "=" +
                mutations.get(i).stream().map(Mutation::name).collect(Collectors.joining(",")));
        }
        delaysNs.forEach((memberId, delayNs) -> options.add("-D" + MutantMember.DELAY + memberId + "=" + delayNs));
        options.add("-D" + MutantMember.INTERVAL + "=" + interval);
        options.add("-D" + MutantMember.SEED + "=" + 42);
        return new MemberLauncher(jar, Files.write(folder.resolve("mutant.options"), options), real.flags());
    }
}
