package io.clusterecho.control.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

import io.clusterecho.node.member.ExitStatus;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RestartsTest
{
    private static final long NS_PER_S = TimeUnit.SECONDS.toNanos(1);
    private static final OptionalInt KILLED = OptionalInt.empty();

    private final Restarts restarts = new Restarts();
    private long nowNs = Long.MAX_VALUE - 2 * NS_PER_S;

    @Test
    void shouldStartAKilledMemberAfterASecond()
    {
        restarts.onAlive(nowNs);
        assertThat(restarts.onEnded(KILLED, nowNs)).isEqualTo("ended without a status, as after a kill, starts again in 1 s");
        assertThat(restarts.isDue(nowNs + NS_PER_S - 1)).isFalse();
        assertThat(restarts.isDue(nowNs + NS_PER_S)).isTrue();
        assertThat(restarts.onEnded(KILLED, nowNs + NS_PER_S)).as("reported once").isNull();

        assertThat(restarts.onStart(nowNs)).isEqualTo(1);
        assertThat(restarts.isDue(nowNs + NS_PER_S)).isFalse();
        assertThat(restarts.isOpen()).isTrue();
    }

    @Test
    void shouldNotStartAMemberThatNeverRan()
    {
        assertThat(restarts.onEnded(KILLED, nowNs)).isNull();
        assertThat(restarts.isDue(nowNs + NS_PER_S)).isFalse();
        assertThat(restarts.isOpen()).isFalse();
    }

    @Test
    void shouldWaitLongerAfterEachQuickEndAndGiveUp()
    {
        restarts.onAlive(nowNs);
        for (int i = 0; i < Restarts.MAX_QUICK_ENDS; i++)
        {
            nowNs += Restarts.QUICK_NS - 1;
            restarts.onAlive(nowNs);
            assertThat(restarts.onEnded(OptionalInt.of(3), nowNs))
                .isEqualTo("ended with status 3 (out of memory), starts again in " + (1 << i) + " s");
            nowNs += NS_PER_S << i;
            assertThat(restarts.isDue(nowNs - 1)).isFalse();
            assertThat(restarts.isDue(nowNs)).isTrue();
            assertThat(restarts.onStart(nowNs)).isEqualTo(i + 1);
        }

        assertThat(restarts.onEnded(OptionalInt.of(3), nowNs)).isEqualTo(
            "ended with status 3 (out of memory), is not started again: it ended 6 times within 60 s of a start");
        assertThat(restarts.isDue(nowNs + Restarts.QUICK_NS)).isFalse();
        assertThat(restarts.isOpen()).isFalse();

        // Unless somebody else starts it.
        restarts.onAlive(nowNs);
        assertThat(restarts.isOpen()).isTrue();
    }

    @Test
    void shouldForgetQuickEndsOfAMemberThatRanForAMinute()
    {
        restarts.onAlive(nowNs);
        restarts.onEnded(KILLED, nowNs);
        restarts.onStart(nowNs);
        nowNs += Restarts.QUICK_NS;
        restarts.onAlive(nowNs);
        assertThat(restarts.onEnded(KILLED, nowNs)).endsWith("starts again in 1 s");
    }

    @Test
    void shouldNotStartAMemberThatSomebodyElseHasStarted()
    {
        restarts.onAlive(nowNs);
        restarts.onEnded(KILLED, nowNs);
        restarts.onAlive(nowNs);
        assertThat(restarts.isDue(nowNs + NS_PER_S)).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotStartAMemberThatWasStoppedOrCannotRun(final ExitStatus status)
    {
        restarts.onAlive(nowNs);
        final boolean isFinal = switch (status)
        {
            case OK, CONFIGURATION, DATA_CORRUPT -> true;
            default -> false;
        };
        final String outcome = restarts.onEnded(OptionalInt.of(status.code()), nowNs);
        assertThat(restarts.isDue(nowNs + NS_PER_S)).isEqualTo(!isFinal);
        assertThat(outcome).startsWith("ended with " + ExitStatus.textOf(status.code()) + ", ")
            .endsWith(isFinal ? "is not started again" : "starts again in 1 s");
    }
}
