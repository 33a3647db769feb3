package io.clusterecho.client.maxrate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

import io.clusterecho.client.maxrate.RateSearch.Purpose;

import org.junit.jupiter.api.Test;

class ClimbTest
{
    private final List<RateSearch.Trial> trials = new ArrayList<>();

    @Test
    void shouldSayNothingOfASystemWithAKnee()
    {
        add(Purpose.BRACKET, "10000+ 20000-");
        add(Purpose.BISECT, "14100+ 16800-");
        add(Purpose.RECHECK, "16800-");
        add(Purpose.CONFIRM, "14100+ 14100+");
        assertThat(climb(14_100, 16_800)).isEmpty();
    }

    @Test
    void shouldNotTakeARateAboveOneThatWasNotConfirmedForAClimb()
    {
        add(Purpose.BRACKET, "10000+ 20000-");
        add(Purpose.RECHECK, "20000-");
        add(Purpose.CONFIRM, "10000- 10000- 5000- 5000+ 7070+ 7070+");
        assertThat(climb(7_070, 10_000)).isEmpty();
    }

    @Test
    void shouldNotTakeOneStepAboveAFailedRateForAClimb()
    {
        add(Purpose.BRACKET, "10000- 5000+");
        add(Purpose.RECHECK, "10000+");
        add(Purpose.BRACKET, "12500+ 19500-");
        add(Purpose.RECHECK, "19500-");
        add(Purpose.CONFIRM, "12500+");
        assertThat(climb(12_500, 19_500)).isEmpty();
    }

    @Test
    void shouldNameARateThatPassedFarAboveOneThatHadFailed()
    {
        add(Purpose.BRACKET, "1000- 500+");
        add(Purpose.RECHECK, "1000+");
        add(Purpose.BRACKET, "1250+ 1950+ 3810-");
        add(Purpose.RECHECK, "3810-");
        add(Purpose.CONFIRM, "1950+");
        assertThat(climb(1_950, 3_810)).isEqualTo("1,000/s had failed in run 1, and 1,950/s passed in run 5");
    }

    @Test
    void shouldNameTheLastRecheckIfItPassed()
    {
        add(Purpose.BRACKET, "10000- 5000+");
        add(Purpose.RECHECK, "10000+");
        add(Purpose.BRACKET, "12500-");
        add(Purpose.CONFIRM, "10000+");
        assertThat(climb(10_000, 12_500)).isEqualTo("10,000/s had failed and passed in run 3, its last recheck");
    }

    @Test
    void shouldNameAnAnswerAboveWhichNothingFailed()
    {
        add(Purpose.BRACKET, "10000+ 20000+");
        add(Purpose.CONFIRM, "20000+");
        assertThat(climb(20_000, 0)).isEqualTo("no rate above 20,000/s failed");
    }

    @Test
    void shouldSayNothingOfARateThatIsNotConfirmed()
    {
        add(Purpose.BRACKET, "10000+ 20000+");
        assertThat(new SearchAnswer(SearchAnswer.Status.ENDED, false, 20_000, 0, 2, List.of()).climb(trials)).isEmpty();
        assertThat(new SearchAnswer(SearchAnswer.Status.NONE, false, 0, 0, 0, List.of()).climb(List.of())).isEmpty();
    }

    private String climb(final long rate, final long failedRate)
    {
        return new SearchAnswer(
            SearchAnswer.Status.CONFIRMED, true, rate, failedRate, trials.size(), List.of()).climb(trials);
    }

    /** Trials as a rate and {@code +} for passed or {@code -} for failed. */
    private void add(final Purpose purpose, final String script)
    {
        for (final String one : script.split(" "))
        {
            final int end = one.length() - 1;
            trials.add(new RateSearch.Trial(Long.parseLong(one.substring(0, end)), purpose, '+' == one.charAt(end)));
        }
    }
}
