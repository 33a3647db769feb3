package io.clusterecho.client.maxrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.statistics.ShareInterval;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RateSearchTest
{
    private static final long START_RATE = 10_000;
    private static final double RESOLUTION = 0.05;
    private static final int SEARCH_COUNT = 1_000;

    @ParameterizedTest
    @ValueSource(longs = { 101, 640, 9_999, 10_000, 10_001, 19_999, 123_456, 777_777, 9_999_999 })
    void shouldFindAKneeWithinItsResolution(final long knee)
    {
        final SearchAnswer answer = RateSearch.execute(plan(), new SimulatedSystem(knee));
        assertThat(answer.status()).isEqualTo(SearchAnswer.Status.CONFIRMED);
        assertThat(answer.ratePerSecond()).isBetween((long)(knee / (1 + RESOLUTION) * 0.99), knee);
        assertThat(answer.steppedDownFrom()).isEmpty();
        if (knee < 9_000_000)
        {
            assertThat(answer.failedRate()).isBetween(knee, (long)(answer.ratePerSecond() * (1 + RESOLUTION)) + 1);
        }
    }

    @ParameterizedTest
    @CsvSource({ "0.01,0.02", "0.2,0.21" })
    void shouldComeAsCloseAsItIsAsked(final double resolution, final double mostAway)
    {
        final SearchPlan plan = new SearchPlan(START_RATE, 100, 10_000_000, resolution, 0.9);
        final SearchAnswer answer = RateSearch.execute(plan, new SimulatedSystem(70_000));
        assertThat((double)answer.ratePerSecond()).isCloseTo(70_000.0, within(70_000 * mostAway));
    }

    @Test
    void shouldConfirmTheRateThatItTells()
    {
        final SimulatedSystem system = new SimulatedSystem(50_000);
        final SearchAnswer answer = RateSearch.execute(plan(), system);
        final int count = system.rates().size();
        assertThat(answer.runCount()).isEqualTo(count);
        assertThat(system.rates().subList(count - 10, count)).containsOnly(answer.ratePerSecond());
        assertThat(system.purposes().subList(count - 10, count)).containsOnly(RateSearch.Purpose.CONFIRM);
    }

    @ParameterizedTest
    @ValueSource(ints = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20 })
    void shouldNotBelieveASingleBrokenTrial(final int number)
    {
        final SimulatedSystem system = new SimulatedSystem(50_000);
        final SearchAnswer answer = RateSearch.execute(
            plan(),
            (rate, purpose) ->
            {
                final RateSearch.Outcome outcome = system.measure(rate, purpose);
                return system.rates().size() == number ? RateSearch.Outcome.FAILED : outcome;
            });
        assertThat(answer.ratePerSecond()).isBetween(47_000L, 50_000L);
    }

    @ParameterizedTest
    @CsvSource({ "0.5,2", "0.75,4", "0.8,5", "0.85,7" })
    void shouldConfirmByFreshTrialsAlone(final double passShare, final int count)
    {
        int confirmedCount = 0;
        for (int seed = 0; seed < 200; seed++)
        {
            final List<RateSearch.Trial> trials = new ArrayList<>();
            final SearchAnswer answer = RateSearch.execute(
                new SearchPlan(START_RATE, 100, 10_000_000, RESOLUTION, passShare),
                noted(new SimulatedSystem(50_000, 0.2, 0.2, seed), trials));
            final List<RateSearch.Trial> fresh = trials.stream()
                .filter((trial) -> answer.ratePerSecond() == trial.ratePerSecond() &&
                RateSearch.Purpose.CONFIRM == trial.purpose()).toList();
            if (SearchAnswer.Status.CONFIRMED == answer.status())
            {
                confirmedCount++;
                assertThat(fresh).as("seed %d", seed).hasSize(count);
                assertThat(fresh.stream().filter((trial) -> !trial.isPassed()).count()).as("seed %d", seed)
                    .isLessThanOrEqualTo(1);
            }
            for (final long rate : answer.steppedDownFrom())
            {
                final List<RateSearch.Trial> there = trials.stream().filter((trial) -> rate == trial.ratePerSecond() &&
                    RateSearch.Purpose.CONFIRM == trial.purpose()).toList();
                assertThat(there).as("seed %d", seed).hasSizeLessThanOrEqualTo(count);
                assertThat(there.stream().filter((trial) -> !trial.isPassed()).count()).as("not tried on").isEqualTo(2);
                assertThat(there.get(there.size() - 1).isPassed()).as("left at once").isFalse();
            }
        }
        assertThat(confirmedCount).isGreaterThan(100);
    }

    /** The share of fresh runs that pass falls from 1 to 0 along a logistic curve in the logarithm of the rate. */
    @ParameterizedTest
    @CsvSource({ "0.03,0.5,0.57", "0.1,0.5,0.45", "0.2,0.5,0.42", "0.03,0.9,0.89", "0.1,0.9,0.84", "0.2,0.9,0.83" })
    void shouldShowBoundsThatHoldTheTrueShare(
        final double kneeWidth, final double passShare, final double meanShare)
    {
        int coveredCount = 0;
        double sum = 0;
        for (int seed = 0; seed < SEARCH_COUNT; seed++)
        {
            final SplittableRandom random = new SplittableRandom(seed);
            final double knee = 200_000 * (1 + random.nextDouble());
            final List<RateSearch.Trial> trials = new ArrayList<>();
            final SearchAnswer answer = RateSearch.execute(
                new SearchPlan(START_RATE, 100, 10_000_000, RESOLUTION, passShare),
                noted(
                    (rate, purpose) -> random.nextDouble() < trueShare(rate, knee, kneeWidth) ?
                        RateSearch.Outcome.PASSED : RateSearch.Outcome.FAILED, trials));
            assertThat(answer.status()).isEqualTo(SearchAnswer.Status.CONFIRMED);
            final List<RateSearch.Trial> fresh = trials.stream()
                .filter((trial) -> answer.ratePerSecond() == trial.ratePerSecond() &&
                RateSearch.Purpose.CONFIRM == trial.purpose()).toList();
            final int passedCount = (int)fresh.stream().filter(RateSearch.Trial::isPassed).count();
            final ShareInterval bounds = ShareInterval.of(passedCount, fresh.size());
            final double share = trueShare(answer.ratePerSecond(), knee, kneeWidth);
            coveredCount += bounds.low() <= share && share <= bounds.high() ? 1 : 0;
            sum += share / SEARCH_COUNT;
        }
        assertThat((double)coveredCount / SEARCH_COUNT).isGreaterThan(0.95);
        assertThat(sum).isCloseTo(meanShare, within(0.02));
    }

    private static double trueShare(final long rate, final double knee, final double kneeWidth)
    {
        return 1 / (1 + Math.pow(rate / knee, 1 / kneeWidth));
    }

    private static RateSearch.Probe noted(final RateSearch.Probe probe, final List<RateSearch.Trial> trials)
    {
        return (rate, purpose) ->
        {
            final RateSearch.Outcome outcome = probe.measure(rate, purpose);
            trials.add(new RateSearch.Trial(rate, purpose, RateSearch.Outcome.PASSED == outcome));
            return outcome;
        };
    }

    @Test
    void shouldStepDownFromARateThatHeldByLuck()
    {
        final SimulatedSystem system = new SimulatedSystem(50_000);
        final SearchAnswer answer = RateSearch.execute(
            plan(),
            // 80,000 passed in the search, and never again.
            (rate, purpose) -> RateSearch.Purpose.CONFIRM != purpose && rate <= 80_000 ?
                RateSearch.Outcome.PASSED : system.measure(rate, purpose));
        assertThat(answer.status()).isEqualTo(SearchAnswer.Status.CONFIRMED);
        assertThat(answer.ratePerSecond()).isBetween(47_000L, 50_000L);
        assertThat(answer.failedRate()).isEqualTo(answer.steppedDownFrom().get(answer.steppedDownFrom().size() - 1));
        assertThat(answer.steppedDownFrom()).isNotEmpty().allMatch((rate) -> rate > 50_000)
            .isSortedAccordingTo((one, other) -> Long.compare(other, one));
    }

    @ParameterizedTest
    @ValueSource(ints = { 2, 3, 4, 5 })
    void shouldComeAsCloseAsItIsAskedToTheLowestRateThatCouldNotBeConfirmed(final int unlucky)
    {
        final SimulatedSystem system = new SimulatedSystem(50_000);
        final Set<Long> toConfirm = new HashSet<>();
        final SearchAnswer answer = RateSearch.execute(
            plan(),
            (rate, purpose) ->
            {
                final RateSearch.Outcome outcome = system.measure(rate, purpose);
                if (RateSearch.Purpose.CONFIRM == purpose)
                {
                    toConfirm.add(rate);
                }
                return RateSearch.Purpose.CONFIRM == purpose && toConfirm.size() <= unlucky ?
                    RateSearch.Outcome.FAILED : outcome;
            });
        assertThat(answer.status()).isEqualTo(SearchAnswer.Status.CONFIRMED);
        assertThat(answer.steppedDownFrom()).hasSize(unlucky);
        final long lowest = answer.steppedDownFrom().get(unlucky - 1);
        assertThat(answer.failedRate()).isEqualTo(lowest);
        assertThat((double)answer.ratePerSecond()).isBetween(lowest / (1 + RESOLUTION) * 0.99, lowest - 1.0);
        assertThat(system.rates().stream().filter((rate) -> rate == answer.ratePerSecond()).count()).isGreaterThanOrEqualTo(3);
    }

    @Test
    void shouldAnswerWithTheHighestConfirmedRateWhenThoseAboveItFail()
    {
        final SimulatedSystem system = new SimulatedSystem(50_000);
        final List<Long> toConfirm = new ArrayList<>();
        // Of the rates to confirm only the third passes, which is two steps below the second.
        final SearchAnswer answer = RateSearch.execute(
            plan(),
            (rate, purpose) ->
            {
                final RateSearch.Outcome outcome = system.measure(rate, purpose);
                if (RateSearch.Purpose.CONFIRM == purpose && !toConfirm.contains(rate))
                {
                    toConfirm.add(rate);
                }
                return RateSearch.Purpose.CONFIRM == purpose && 2 != toConfirm.indexOf(rate) ?
                    RateSearch.Outcome.FAILED : outcome;
            });
        assertThat(answer.status()).isEqualTo(SearchAnswer.Status.CONFIRMED);
        assertThat(answer.ratePerSecond()).isEqualTo(toConfirm.get(2));
        assertThat(toConfirm.subList(3, toConfirm.size())).isNotEmpty().allMatch((rate) -> rate > answer.ratePerSecond());
        assertThat(answer.steppedDownFrom()).doesNotContain(answer.ratePerSecond()).hasSize(toConfirm.size() - 1);
        assertThat(answer.failedRate()).isLessThanOrEqualTo((long)(answer.ratePerSecond() * (1 + RESOLUTION)) + 1);
    }

    @ParameterizedTest
    @ValueSource(ints = { 2, 3, 4, 6 })
    void shouldGoUpAgainWhenASystemWasNotWarm(final int coldRunCount)
    {
        final SimulatedSystem system = new SimulatedSystem(50_000);
        final SearchAnswer answer = RateSearch.execute(
            plan(),
            (rate, purpose) ->
            {
                final RateSearch.Outcome outcome = system.measure(rate, purpose);
                return system.rates().size() <= coldRunCount ? RateSearch.Outcome.FAILED : outcome;
            });
        assertThat(answer.status()).isEqualTo(SearchAnswer.Status.CONFIRMED);
        assertThat(answer.ratePerSecond()).isBetween(47_000L, 50_000L);
    }

    @Test
    void shouldStayNearTheKneeOfANoisySystem()
    {
        final int seedCount = 200;
        int nearCount = 0;
        for (int seed = 0; seed < seedCount; seed++)
        {
            // The time is off by a fifth, and every tenth trial fails independently of the system.
            final SearchAnswer answer = RateSearch.execute(
                new SearchPlan(START_RATE, 100, 10_000_000, RESOLUTION, 0.5), new SimulatedSystem(50_000, 0.2, 0.1, seed));
            assertThat(answer.status()).as("seed %d", seed).isEqualTo(SearchAnswer.Status.CONFIRMED);
            assertThat(answer.ratePerSecond()).as("seed %d", seed).isLessThan(56_000);
            assertThat(answer.failedRate()).as("seed %d", seed)
                .isLessThanOrEqualTo((long)(answer.ratePerSecond() * (1 + RESOLUTION)) + 1);
            nearCount += answer.ratePerSecond() > 45_000 ? 1 : 0;
        }
        assertThat((double)nearCount).isCloseTo(seedCount, Percentage.withPercentage(15));
    }

    @Test
    void shouldSayWhenNothingHolds()
    {
        final SimulatedSystem system = new SimulatedSystem(50);
        final SearchAnswer answer = RateSearch.execute(plan(), system);
        assertThat(answer.status()).isEqualTo(SearchAnswer.Status.NONE);
        assertThat(answer.ratePerSecond()).isZero();
        assertThat(answer.failedRate()).isEqualTo(100);
        assertThat(system.rates()).allMatch((rate) -> rate >= 100);
    }

    @Test
    void shouldSayWhenNothingBreaks()
    {
        final SearchAnswer answer = RateSearch.execute(
            new SearchPlan(START_RATE, 100, 100_000, RESOLUTION, 0.9), new SimulatedSystem(200_000));
        assertThat(answer.status()).isEqualTo(SearchAnswer.Status.CONFIRMED);
        assertThat(answer.ratePerSecond()).isEqualTo(100_000);
        assertThat(answer.isOpenAbove()).isTrue();
    }

    @Test
    void shouldGiveUpWhereNoRateCanBeConfirmed()
    {
        final SearchAnswer answer = RateSearch.execute(
            plan(),
            (rate, purpose) -> RateSearch.Purpose.CONFIRM == purpose || rate > 30_000 ?
                RateSearch.Outcome.FAILED : RateSearch.Outcome.PASSED);
        assertThat(answer.status()).isEqualTo(SearchAnswer.Status.NONE);
        assertThat(answer.ratePerSecond()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = { 0, 1, 4, 8, 14 })
    void shouldKeepWhatItHasWhenItIsEnded(final int afterRuns)
    {
        final SimulatedSystem system = new SimulatedSystem(50_000);
        final SearchAnswer answer = RateSearch.execute(
            plan(),
            (rate, purpose) -> system.rates().size() == afterRuns ?
                RateSearch.Outcome.ENDED : system.measure(rate, purpose));
        assertThat(answer.status()).isEqualTo(SearchAnswer.Status.ENDED);
        assertThat(answer.runCount()).isEqualTo(afterRuns);
        assertThat(answer.ratePerSecond()).isLessThanOrEqualTo(50_000);
        assertThat(answer.ratePerSecond() > 0).isEqualTo(afterRuns > 0);
    }

    @ParameterizedTest
    @CsvSource({ "10,100,1000,0.05,--rate", "2000,100,1000,0.05,--rate", "500,1001,1000,0.05,--lowest",
        "500,100,1000,0,--resolution", "500,100,1000,1.5,--resolution" })
    void shouldRefuseAPlanWithoutAnEnd(
        final long start, final long lowest, final long highest, final double resolution, final String option)
    {
        assertThatThrownBy(() -> new SearchPlan(start, lowest, highest, resolution, 0.9))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining(option);
    }

    @ParameterizedTest
    @ValueSource(doubles = { 0, 0.49, 0.995, 1 })
    void shouldRefuseAPlanThatNoNumberOfTrialsConfirms(final double passShare)
    {
        assertThatThrownBy(() -> new SearchPlan(500, 100, 1000, 0.05, passShare))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining("--pass");
    }

    private static SearchPlan plan()
    {
        return new SearchPlan(START_RATE, 100, 10_000_000, RESOLUTION, 0.9);
    }
}
