package io.clusterecho.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.clusterecho.reporting.foreign.SampleForeign;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class CompareForeignTest
{
    @RegisterExtension
    private final StandardStreams streams = new StandardStreams();

    @TempDir
    private Path folder;

    @Test
    void shouldCompareForeignResultsAndSayWhatTheyLack() throws IOException
    {
        for (int i = 0; i < 5; i++)
        {
            SampleForeign.write(folder.resolve("a/run-" + i + "/" + SampleForeign.NAME + ".hdr"), 100_000 + 1_000 * i);
            SampleForeign.write(folder.resolve("b/run-" + i + "/" + SampleForeign.NAME + ".hdr"), 200_000 + 1_000 * i);
        }
        // What joins the runs of a set is not a run.
        SampleForeign.write(folder.resolve("a/" + SampleForeign.NAME + "-combined.hdr"), 100_000);
        assertThat(compare()).isEqualTo(99);
        assertThat(said()).contains("A         5 runs in").contains("REGRESSION")
            .contains("note      A is foreign, closed accounts unknown: its numbers do not include messages without a reply");
        assertThat(compare("--metric", "service.p99")).isEqualTo(2);
        assertThat(said()).contains("has no service.p99");
    }

    @Test
    void shouldRefuseAFileOfSeveralSeries() throws IOException
    {
        SampleForeign.write(folder.resolve("a/a.hdr"), 100_000);
        final Path tagged = SampleForeign.writeHistory(folder.resolve("b/c.hdr"), 1_000, 2_000);
        Files.writeString(tagged, Files.readString(tagged).replaceFirst("\n([0-9])", "\nTag=first,$1"));
        assertThat(compare()).isEqualTo(2);
        assertThat(streams.err()).contains(tagged.toString(), "several series cannot be added");
    }

    private int compare(final String... more)
    {
        streams.clear();
        final List<String> args =
            new ArrayList<>(List.of("compare", folder.resolve("a").toString(), folder.resolve("b").toString()));
        args.addAll(List.of(more));
        return LoadClient.execute(args.toArray(new String[0]));
    }

    private String said()
    {
        return streams.out();
    }
}
