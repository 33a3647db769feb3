package io.clusterecho.client.counters;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

import io.clusterecho.media.counters.CounterColumn;

import org.junit.jupiter.api.Test;

class CompilationWatchTest
{
    private final List<String> rows = new ArrayList<>();
    private final CompilationWatch watch = new CompilationWatch(new CounterSource()
    {
        @Override
        public List<String> processRows()
        {
            return rows;
        }

        @Override
        public String machineRow()
        {
            return "7";
        }
    });

    @Test
    void shouldKeepTheLargestOfTheLastRows()
    {
        rows.add(row("client", "20"));
        rows.add(row("member-0", "350"));
        rows.add(row("member-1", ""));
        assertThat(watch.processRows()).isSameAs(rows);
        assertThat(watch.largestMs()).isEqualTo(350);
        assertThat(watch.machineRow()).isEqualTo("7");

        rows.remove(1);
        watch.processRows();
        assertThat(watch.largestMs()).isEqualTo(20);
        rows.clear();
        watch.processRows();
        assertThat(watch.largestMs()).isZero();
    }

    private static String row(final String process, final String compileMs)
    {
        final StringBuilder row = new StringBuilder(process + ",1");
        for (final CounterColumn column : CounterColumn.values())
        {
            row.append(',').append(CounterColumn.COMPILE_MS == column ? compileMs : "999");
        }
        return row.toString();
    }
}
