package io.clusterecho.control.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EndingsTest
{
    private static final Path BASE = Path.of("/data/cluster");
    private static final String FRAME = "\tat io.aeron.cluster.Election.doWork(Election.java:213)";

    private final ClusterMember following = member(0, Map.of("counters", Optional.of(counters("closed"))));
    private final ClusterMember starting = member(2, Map.of());

    @Test
    void shouldPutTheMemberThatFailedFirstAndLeaveOutStackTraces()
    {
        final ClusterMember failed = ended(
            1, 7, "member 1 is ready", FRAME, "member 1 failed (other error): the election failed " + "x".repeat(1_200), FRAME,
            "member 1 stopped, exit 7 (other error)");

        final ControlFailure failure = Endings.failure(
            List.of(following, failed, starting), (member) -> starting == member, "timeout: no leader");

        final List<String> lines = failure.getMessage().lines().toList();
        assertThat(lines.get(0)).startsWith("member 1 ended with status 7 (other error): the election failed xxx").endsWith("...")
            .hasSizeLessThanOrEqualTo(1_000);
        assertThat(lines.subList(1, lines.size())).containsExactly(
            "  its output is in /data/cluster/member-1/member.log",
            "timeout: no leader",
            "member 0: follower, in term 3",
            "member 2: stopped because the start failed; before that: starting");
        assertThat(failure.exitCode()).isEqualTo(ControlFailure.NOT_READY);
    }

    @Test
    void shouldReportARejectedSettingWithItsOwnStatus()
    {
        final ClusterMember rejected = ended(1, 2, "error: the consensus port of member 1 cannot be bound");

        final ControlFailure failure = Endings.failure(List.of(rejected), (member) -> false, "");

        assertThat(failure).hasMessage(
            "member 1 ended with status 2 (invalid setting): the consensus port of member 1 cannot be bound\n" +
            "  its output is in /data/cluster/member-1/member.log");
        assertThat(failure.exitCode()).isEqualTo(ControlFailure.UNUSABLE);
    }

    @Test
    void shouldShowTheLastWordsOfMembersThatRunIfNoneEnded()
    {
        final ClusterMember electing = member(0, Map.of(
            "counters", Optional.of(counters("canvass")), "output", List.of("one", "two", FRAME, "three", "four")));

        assertThat(Endings.failure(List.of(electing), (member) -> false, "timeout: no leader")).hasMessage(
            "timeout: no leader\n" +
            "member 0: follower, in an election (canvass)\n" +
            "  its output is in /data/cluster/member-0/member.log and ends:\n" +
            "  two\n  three\n  four");
    }

    @Test
    void shouldNameTheCommandForEachMemberOutOfService()
    {
        final ClusterMember damaged = ended(1, 5, "member 1 failed (damaged data): CRC checksum mismatch");

        assertThat(Endings.ofDegraded(List.of(following, damaged, starting), List.of(damaged), BASE)).hasMessage(
            "2 of 3 members serve and keep running; out of service:\n" +
            "member 1 ended with status 5 (damaged data): CRC checksum mismatch\n" +
            "  for a new cluster, delete the data of all members: " +
            "java -jar cluster-node.jar stop --delete-data --base-dir /data/cluster\n" +
            "  its output is in /data/cluster/member-1/member.log");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "6   | member 1 ended with status 6 (stalled too long); start it again with: java -jar cluster-node.jar start",
        "2   | member 1 ended with status 2 (invalid setting); correct the setting that its log names, then start it again",
        "4   | member 1 ended with status 4 (storage error); make space or repair its disk, then start it again with: ",
        "137 | member 1 ended with status 137 (signal 9); start it again with: ",
        "1   | member 1 ended with status 1; start it again with: " })
    void shouldSayWhatToDoAfterEachEnd(final int exitCode, final String begin)
    {
        assertThat(Endings.of(List.of(following, ended(1, exitCode)), BASE)).singleElement().asString().startsWith(begin)
            .endsWith("--base-dir /data/cluster");
    }

    @Test
    void shouldSayWhyAMemberFailed()
    {
        final ClusterMember failed = ended(
            1, 7, "2026-11-30T08:00:00Z service: org.agrona.concurrent.AgentTerminationException: failed to start", FRAME,
            "Caused by: java.lang.IllegalStateException: no prices",
            "member 1 failed (other error): service: failed to start: java.lang.IllegalStateException: no prices",
            "member 1 stopped, exit 7 (other error)");

        assertThat(Endings.text(failed, List.of(following), BASE)).startsWith(
            "member 1 ended with status 7 (other error): service: failed to start: java.lang.IllegalStateException: no prices; " +
            "start it again with: ");
    }

    @Test
    void shouldNotReportMembersThatWereStopped()
    {
        final ClusterMember stopped = member(1, Map.of(
            "pid", OptionalLong.empty(), "isRecorded", false, "exitCode", OptionalInt.of(0)));

        assertThat(Endings.of(List.of(following, stopped), BASE)).isEmpty();
    }

    @Test
    void shouldQuoteTheLastErrorsSinceATimeOnce()
    {
        final ClusterMember silent = member(2, Map.of("errors", MemberErrors.NONE));
        assertThat(Endings.errors(List.of(
            failing(0, 29, 2_000, "java.lang.IllegalStateException: no price"),
            failing(1, 1, 2_500, "java.lang.Error: full"), silent,
            failing(3, 28, 3_000, "java.lang.IllegalStateException: no price"),
            failing(4, 1, 1_999, "java.lang.Error: earlier")), Instant.ofEpochMilli(2_000))).containsExactly(
            "member 0, member 3 logged: java.lang.IllegalStateException: no price (times since the start: 29, 28)",
            "member 1 logged: java.lang.Error: full (times since the start: 1)");
    }

    private static ClusterMember failing(final int memberId, final long count, final long timeMs, final String last)
    {
        return member(memberId, Map.of("errors", new MemberErrors(2, count + 1, count, timeMs, last)));
    }

    @Test
    void shouldReportAKilledMember()
    {
        assertThat(Endings.text(
            member(1, Map.of("pid", OptionalLong.empty(), "exitCode", OptionalInt.empty())), List.of(following), BASE))
            .startsWith("member 1 ended without a status, as after a kill; start it again with: ");
    }

    private static ClusterMember ended(final int memberId, final int exitCode, final String... output)
    {
        return member(memberId, Map.of(
            "pid", OptionalLong.empty(), "exitCode", OptionalInt.of(exitCode), "output", List.of(output)));
    }

    private static MemberCounters counters(final String electionState)
    {
        return new MemberCounters("follower", electionState, "active", 3, 0, 0, 0, 0, Map.of());
    }

    /** A member that runs and has no counters yet, except for what is given by the name of the method. */
    static ClusterMember member(final int memberId, final Map<String, Object> given)
    {
        final Map<String, Object> results = new HashMap<>(Map.of(
            "memberId", memberId, "name", "member " + memberId, "hostName", "",
            "logFile", BASE.resolve("member-" + memberId + "/member.log"),
            "pid", OptionalLong.of(7), "isRecorded", true, "counters", Optional.empty(), "output", List.of()));
        results.putAll(given);
        results.put("isAlive", ((OptionalLong)results.get("pid")).isPresent());
        return (ClusterMember)Proxy.newProxyInstance(
            EndingsTest.class.getClassLoader(), new Class<?>[]{ ClusterMember.class }, (proxy, method, arguments) ->
            {
                if ("equals".equals(method.getName()))
                {
                    return proxy == arguments[0];
                }
                if (!results.containsKey(method.getName()))
                {
                    throw new UnsupportedOperationException(method.getName());
                }
                return results.get(method.getName());
            });
    }
}
