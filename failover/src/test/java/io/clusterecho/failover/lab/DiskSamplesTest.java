package io.clusterecho.failover.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import io.clusterecho.control.member.ControlFailure;

import org.junit.jupiter.api.Test;

class DiskSamplesTest
{
    private static final long S = 1_000_000_000L;

    private long memberBytes = 10;
    private boolean isReplaced;

    private DiskSamples samples(final long durationNs)
    {
        return new DiskSamples(List.of(() -> memberBytes, () -> 5), () ->
        {
            if (isReplaced)
            {
                throw new ControlFailure(ControlFailure.NOT_READY, "the catalog is malformed");
            }
            return 3;
        }, S, durationNs);
    }

    @Test
    void shouldKeepEachSampleOfAShortTime()
    {
        final DiskSamples samples = samples(100 * S);
        samples.take(0);
        memberBytes = 7;
        samples.take(S);

        assertThat(samples.kept()).containsExactly(
            new LifeResult.DiskSample(0, List.of(10L, 5L), 3), new LifeResult.DiskSample(S, List.of(7L, 5L), 3));
        assertThat(samples.mostBytes()).isEqualTo(18);
        assertThat(samples.problems()).isEmpty();
    }

    @Test
    void shouldKeepTheLargestOfEachSpanOfALongTime()
    {
        final DiskSamples samples = samples(3 * DiskSamples.MAX_COUNT * S);
        for (int second = 0; second < 6; second++)
        {
            memberBytes = new long[]{ 1, 9, 2, 4, 3, 4 }[second];
            samples.take(second * S);
        }

        assertThat(samples.kept()).extracting(LifeResult.DiskSample::atNs).containsExactly(S, 3 * S);
        assertThat(samples.kept()).extracting((sample) -> sample.memberBytes().get(0)).containsExactly(9L, 4L);
        assertThat(samples.mostBytes()).isEqualTo(17);
    }

    @Test
    void shouldCountWhatIsBeingReplacedAsItWas()
    {
        final DiskSamples samples = samples(100 * S);
        samples.take(0);
        isReplaced = true;
        samples.take(S);

        assertThat(samples.kept()).extracting(LifeResult.DiskSample::backupBytes).containsExactly(3L, 3L);
        assertThat(samples.problems()).isEmpty();
    }

    @Test
    void shouldNotTakeWhatCannotBeReadForAnEmptyDisk()
    {
        isReplaced = true;
        final DiskSamples samples = samples(100 * S);
        samples.take(0);
        samples.take(S);
        samples.take(2 * S);
        isReplaced = false;
        samples.take(3 * S);

        assertThat(samples.problems()).containsExactly(
            "the disk use of the backup could not be read in 3 of 4 samples; the last time: the catalog is malformed");
    }
}
