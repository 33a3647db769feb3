package io.clusterecho.client.counters;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.clusterecho.commands.LoadClient;
import io.clusterecho.reporting.results.CsvTable;
import io.clusterecho.reporting.results.FileNames;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CounterFilesTest
{
    @TempDir
    private Path results;

    @Test
    void shouldHaveTheRowsOfTheIntervals() throws IOException
    {
        final PrintStream standardOut = System.out;
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        try
        {
            LoadClient.execute((
                "run --transport memory --idle sleep --rate 1000 --size 64 --warm-up 200ms --duration 1s --interval 300ms " +
                "--quiet --output " + results).split(" "));
        }
        finally
        {
            System.setOut(standardOut);
        }
        final Path folder;
        try (Stream<Path> folders = Files.list(results))
        {
            folder = folders.findFirst().orElseThrow();
        }

        final CsvTable intervals = CsvTable.read(folder.resolve("intervals.csv"));
        final CsvTable counters = CsvTable.read(folder.resolve(FileNames.COUNTERS));
        final CsvTable machine = CsvTable.read(folder.resolve(FileNames.MACHINE));
        assertThat(intervals.rowCount()).isGreaterThan(3);
        for (final CsvTable table : List.of(counters, machine))
        {
            assertThat(table.rowCount()).isEqualTo(intervals.rowCount());
            for (int row = 0; row < intervals.rowCount(); row++)
            {
                assertThat(table.text(row, "begin_s")).isEqualTo(intervals.text(row, "begin_s"));
                assertThat(table.text(row, "end_s")).isEqualTo(intervals.text(row, "end_s"));
            }
        }

        double cpuMs = 0;
        for (int row = 0; row < counters.rowCount(); row++)
        {
            assertThat(counters.text(row, "process")).isEqualTo("client");
            assertThat(counters.text(row, "pid")).isEqualTo(String.valueOf(ProcessHandle.current().pid()));
            assertThat(counters.text(row, "collections")).matches("[0-9]+");
            assertThat(counters.text(row, "role")).as("the client is not a member").isEmpty();
            cpuMs += counters.number(row, "cpu_ms");
        }
        assertThat(cpuMs).as("more than a second of load takes some of a core").isPositive();
        assertThat(machine.number(0, "user_ms") + machine.number(0, "system_ms") + machine.number(0, "idle_ms")).isPositive();
    }
}
