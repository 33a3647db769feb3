package io.clusterecho.control.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.MemberCounters;
import io.clusterecho.node.member.LeaderPreference;

import org.junit.jupiter.api.Test;

class LeaderMoveTest
{
    private static final long NOW_MS = 5_000;

    private final List<String> calls = new ArrayList<>();
    private final boolean[] isAlive = { true, true, true };
    private final long[] committed = { 100, 100, 100 };
    private final LeaderPreference[] preferences = new LeaderPreference[3];
    /** Who leads after each stop of a leader; with none the one that the members prefer. */
    private final Deque<Integer> elected = new ArrayDeque<>();
    private final List<ClusterMember> members = List.of(member(0), member(1), member(2));
    private int leaderId;
    private boolean isImmortal;

    @Test
    void shouldStopTheLeaderOnceAndStartItAgainWhenTheWantedMemberLeads()
    {
        assertThat(move(2, 3).stops()).isEqualTo(1);

        assertThat(leaderId).isEqualTo(2);
        assertThat(calls).containsExactly(
            "prefer 0", "prefer 1", "prefer 2", "terminate 0", "cleanUp 0", "start 0", "prefer 0", "prefer 1", "prefer 2");
        assertThat(preferences).containsOnlyNulls();
        assertThat(isAlive).containsExactly(true, true, true);
    }

    @Test
    void shouldDoNothingIfTheMemberLeadsAlready()
    {
        assertThat(move(0, 3).stops()).isZero();
        assertThat(calls).doesNotContain("terminate 0");
    }

    @Test
    void shouldTryAgainWhenAnotherIsElected()
    {
        elected.addAll(List.of(1, 0, 2));
        assertThat(move(2, 3).stops()).isEqualTo(3);
        assertThat(calls).containsSubsequence("terminate 0", "start 0", "terminate 1", "start 1", "terminate 0", "start 0");
    }

    @Test
    void shouldGiveUpAfterTheAttempts()
    {
        elected.addAll(List.of(1, 0));
        assertThatThrownBy(() -> move(2, 2)).isInstanceOf(ControlFailure.class).hasMessage(
            "member 0 leads after 2 elections, not member 2: run the command again, or allow more with --attempts");
        assertThat(isAlive).containsExactly(true, true, true);
        assertThat(preferences).containsOnlyNulls();
    }

    @Test
    void shouldNotStopTheLeaderWhileAMemberIsDown()
    {
        isAlive[1] = false;
        assertThatThrownBy(() -> move(2, 3)).isInstanceOf(ControlFailure.class)
            .hasMessageContaining("not all members are in one term, so the leader was not stopped");
        assertThat(calls).doesNotContain("terminate 0");
    }

    @Test
    void shouldNotStopTheLeaderWhileTheWantedMemberLags()
    {
        committed[2] = 50;
        assertThatThrownBy(() -> move(2, 3)).isInstanceOf(ControlFailure.class).hasMessage(
            "member 2 has committed up to position 50, the leader up to 100, so the leader was not stopped");
        assertThat(calls).doesNotContain("terminate 0");
    }

    @Test
    void shouldReportALeaderThatDoesNotStop()
    {
        isImmortal = true;
        assertThatThrownBy(() -> move(2, 3)).isInstanceOf(ControlFailure.class).hasMessage("member 0 did not stop in time");
        assertThat(preferences).containsOnlyNulls();
    }

    @Test
    void shouldLimitThePreferenceInTime()
    {
        isImmortal = true;
        final List<Long> ends = new ArrayList<>();
        onTerminate = () -> ends.add(preferences[1].untilMs());
        assertThatThrownBy(() -> move(2, 3)).isInstanceOf(ControlFailure.class);
        assertThat(ends).singleElement().satisfies((end) -> assertThat(end).isBetween(NOW_MS + 10_000, NOW_MS + 10_200));
    }

    private Runnable onTerminate = () -> { };

    private LeaderMove.Moved move(final int memberId, final int attempts)
    {
        return new LeaderMove(
            members,
            new LeaderMove.View()
            {
                @Override
                public Optional<ClusterMember> leader()
                {
                    return leaderId < 0 ? Optional.empty() : Optional.of(members.get(leaderId));
                }

                @Override
                public boolean isSettled()
                {
                    return leaderId >= 0 && isAlive[0] && isAlive[1] && isAlive[2];
                }
            },
            () -> NOW_MS, (line) -> { }).to(memberId, attempts, Deadline.in(200_000_000L));
    }

    private ClusterMember member(final int memberId)
    {
        return (ClusterMember)Proxy.newProxyInstance(
            LeaderMoveTest.class.getClassLoader(), new Class<?>[]{ ClusterMember.class }, (proxy, method, arguments) ->
            {
                switch (method.getName())
                {
                    case "memberId":
                        return memberId;

                    case "isAlive":
                        return isAlive[memberId];

                    case "counters":
                        return isAlive[memberId] ? Optional.of(new MemberCounters(
                            leaderId == memberId ? "leader" : "follower", "closed", "active", 1, committed[memberId],
                            committed[memberId], 0, 0, Map.of())) : Optional.empty();

                    case "prefer":
                        preferences[memberId] = (LeaderPreference)arguments[0];
                        break;

                    case "terminate":
                        onTerminate.run();
                        isAlive[memberId] = isImmortal;
                        leaderId = elected.isEmpty() ? preferences[memberId].memberId() : elected.poll();
                        break;

                    case "start":
                        isAlive[memberId] = true;
                        break;

                    case "cleanUp":
                        break;

                    case "output":
                        return List.of();

                    case "exitCode":
                        return OptionalInt.of(0);

                    case "equals":
                        return proxy == arguments[0];

                    case "hostName":
                        return "";

                    case "logFile":
                        return Path.of("/member.log");

                    default:
                        throw new AssertionError("not expected: " + method);
                }
                calls.add(method.getName() + " " + memberId);
                return null;
            });
    }
}
