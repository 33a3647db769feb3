package io.clusterecho.node.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.lang.management.ManagementFactory;

import org.agrona.concurrent.NanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.aeron.cluster.service.Cluster;
import io.clusterecho.media.counters.ServiceCounter;

class ServiceTimeTest
{
    private static final int DRAWS = 1_000_000;
    private static final long CLIENT = 7;
    private static final long TICK_NS = 100;
    private static final long EXPONENTIAL_AT_320 = 29_735;
    private static final long EXPONENTIAL_AT_1T = 4_048_648_338L;

    /** Each reading is a tick later than the one before. */
    private static final class TickingClock implements NanoClock
    {
        private long nowNs = 5_000_000_000L;

        @Override
        public long nanoTime()
        {
            nowNs += TICK_NS;
            return nowNs;
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = ' ', value = { "fixed:10us 10000 0", "exponential:10us 10000 10000" })
    void shouldHaveTheMeanAndTheSpreadOfItsDistribution(final String text, final double meanNs, final double deviationNs)
    {
        final ServiceTime time = ServiceTime.of(text);
        double sumNs = 0;
        double squares = 0;
        for (int i = 0; i < DRAWS; i++)
        {
            final long timeNs = time.timeNs(position(i));
            sumNs += timeNs;
            squares += (timeNs - meanNs) * (timeNs - meanNs);
        }

        assertThat((double)time.timeNs()).isEqualTo(meanNs);
        // Five standard errors of the mean.
        assertThat(sumNs / DRAWS).isCloseTo(meanNs, within(5 * deviationNs / Math.sqrt(DRAWS) + 0.5));
        assertThat(Math.sqrt(squares / DRAWS)).isCloseTo(deviationNs, within(deviationNs / 50 + 0.5));
    }

    @Test
    void shouldFollowTheExponentialDistribution()
    {
        final ServiceTime time = ServiceTime.of("exponential:1ms");
        final int[] longer = new int[8];
        for (int i = 0; i < DRAWS; i++)
        {
            final long timeNs = time.timeNs(position(i));
            for (int k = 0; k < longer.length; k++)
            {
                longer[k] += timeNs > k * 1_000_000L ? 1 : 0;
            }
        }

        for (int k = 1; k < longer.length; k++)
        {
            final double share = Math.exp(-k);
            assertThat((double)longer[k] / DRAWS).as("longer than %d means", k)
                .isCloseTo(share, within(5 * Math.sqrt(share * (1 - share) / DRAWS)));
        }
    }

    @Test
    void shouldDrawTheTimesOfMessagesThatFollowEachOtherIndependently()
    {
        final ServiceTime time = ServiceTime.of("exponential:10us");
        double product = 0;
        double variance = 0;
        double before = time.timeNs(position(-1)) - time.timeNs();
        for (int i = 0; i < DRAWS; i++)
        {
            final double now = time.timeNs(position(i)) - time.timeNs();
            product += before * now;
            variance += now * now;
            before = now;
        }

        assertThat(product / variance).as("autocorrelation").isCloseTo(0, within(5 / Math.sqrt(DRAWS)));
    }

    @Test
    void shouldTakeTheSameTimeOnEachMemberAndInEachReplay()
    {
        final ServiceTime one = ServiceTime.of("exponential:10us");
        final ServiceTime other = ServiceTime.of("exponential:10us");
        for (int i = 0; i < 10_000; i++)
        {
            assertThat(one.timeNs(position(i))).isEqualTo(other.timeNs(position(i)));
        }
        // Of all members of any version, on any processor: a change of these alters what a replay of an old log costs.
        assertThat(one.timeNs(320)).isEqualTo(EXPONENTIAL_AT_320);
        assertThat(ServiceTime.of("exponential:1h").timeNs(1L << 40)).isEqualTo(EXPONENTIAL_AT_1T);
    }

    @Test
    void shouldSpinForTheTimeOfTheMessageAndNoLonger()
    {
        final TickingClock clock = new TickingClock();
        for (final String text : new String[]{ "fixed:10us", "exponential:3us" })
        {
            final ServiceTime time = ServiceTime.of(text, clock);
            for (int i = 0; i < 1_000; i++)
            {
                final long beforeNs = clock.nowNs;
                time.spin(position(i));
                assertThat(clock.nowNs - beforeNs - TICK_NS).as(text)
                    .isBetween(time.timeNs(position(i)), time.timeNs(position(i)) + 2 * TICK_NS);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = { "LEADER", "FOLLOWER" })
    void shouldWorkOnEachMessageThatIsAppliedOnAllMembersAlike(final String role)
    {
        final TickingClock clock = new TickingClock();
        final Member member = new Member(Cluster.Role.valueOf(role));
        final FakeSession session = member.session(1);
        final ServiceTime time = ServiceTime.of("exponential:1ms", clock);
        member.service.serviceTime = time;

        for (int sequence = 0; sequence < 10; sequence++)
        {
            final long beforeNs = clock.nowNs;
            member.ordered(session, CLIENT, sequence);
            assertThat(clock.nowNs - beforeNs).isGreaterThan(time.timeNs(member.cluster.logPosition));
        }
        final long appliedNs = clock.nowNs;
        member.ordered(session, CLIENT, 5);
        member.ordered(session, CLIENT, 20);

        assertThat(clock.nowNs).as("repeated, too early").isEqualTo(appliedNs);
        assertThat(member.count(ServiceCounter.APPLIED)).isEqualTo(10);
    }

    @Test
    void shouldLeaveTheStateAsItIsWithoutWork()
    {
        final Member with = Member.leader();
        final Member without = Member.leader();
        with.service.serviceTime = ServiceTime.of("exponential:3us", new TickingClock());
        for (int sequence = 0; sequence < 10; sequence++)
        {
            with.echo(with.session(1), CLIENT, sequence);
            without.echo(without.session(1), CLIENT, sequence);
        }

        assertThat(with.snapshot()).isEqualTo(without.snapshot());
        assertThat(with.count(ServiceCounter.STATE_CHECKSUM)).isEqualTo(without.count(ServiceCounter.STATE_CHECKSUM));
    }

    @Test
    void shouldAnswerOnlyAfterTheWorkIsDone()
    {
        final TickingClock clock = new TickingClock();
        final Member member = Member.leader();
        final FakeSession session = member.session(1);
        final int[] answersDuringWork = new int[1];
        member.service.serviceTime = ServiceTime.of("fixed:1us", () ->
        {
            answersDuringWork[0] += session.received.size();
            return clock.nanoTime();
        });
        member.echo(session, CLIENT, 0);

        assertThat(answersDuringWork[0]).isZero();
        assertThat(session.received).hasSize(1);
    }

    @Test
    void shouldWorkOnEachMessageOfThePlainService()
    {
        final TickingClock clock = new TickingClock();
        final Member member = Member.plain(Cluster.Role.FOLLOWER);
        member.service.serviceTime = ServiceTime.of("fixed:1us", clock);
        final long beforeNs = clock.nowNs;
        member.echo(member.session(1), CLIENT, 0);
        member.echo(member.session(1), CLIENT, 0);

        assertThat(clock.nowNs - beforeNs).isBetween(2_000L, 2_000 + 6 * TICK_NS);
    }

    @Test
    void shouldNotReadTheClockWithoutWork()
    {
        final TickingClock clock = new TickingClock();
        final long beforeNs = clock.nowNs;
        ServiceTime.of("none", clock).spin(320);

        assertThat(clock.nowNs).isEqualTo(beforeNs);
        assertThat(ServiceTime.of("none").timeNs()).isZero();
        assertThat(ServiceTime.of("fixed:1ns").timeNs()).isPositive();
    }

    @Test
    void shouldNotAllocate()
    {
        final TickingClock clock = new TickingClock();
        final ServiceTime[] times =
            {
                ServiceTime.of("fixed:1us", clock), ServiceTime.of("exponential:1us", clock)
            };
        spinAll(times);
        final com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean)ManagementFactory.getThreadMXBean();
        final long threadId = Thread.currentThread().getId();
        // The JVM sometimes allocates on behalf of a thread; an allocation per message would show in each round.
        long leastBytes = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++)
        {
            final long before = threads.getThreadAllocatedBytes(threadId);
            spinAll(times);
            leastBytes = Math.min(leastBytes, threads.getThreadAllocatedBytes(threadId) - before);
        }

        assertThat(leastBytes).isLessThan(4096);
    }

    @Test
    void shouldBoundTheTimeOfManyMessages()
    {
        assertThat(ServiceTime.of("none").boundNs(50)).isZero();
        assertThat(ServiceTime.of("fixed:10us").boundNs(50)).isEqualTo(500_000);
        assertThat(ServiceTime.of("exponential:10us").boundNs(50)).isEqualTo(1_500_000);
        assertThat(ServiceTime.of("fixed:1000000h").boundNs(50)).as("no overflow").isEqualTo(Long.MAX_VALUE);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", "10us", "fixed", "fixed:", "fixed:0us", "fixed:10", "fixed:-1us", "exponential:10us,5us", "poisson:10us", "none:",
        "Fixed:10us" })
    void shouldRejectOtherTexts(final String text)
    {
        assertThatThrownBy(() -> ServiceTime.of(text)).isInstanceOf(IllegalArgumentException.class);
    }

    private static void spinAll(final ServiceTime[] times)
    {
        for (int i = 0; i < 30_000; i++)
        {
            for (final ServiceTime time : times)
            {
                time.spin(position(i));
            }
        }
    }

    /** Of the i-th message of 288 bytes. */
    private static long position(final int i)
    {
        return 1_000L * 32 + 384L * i;
    }
}
