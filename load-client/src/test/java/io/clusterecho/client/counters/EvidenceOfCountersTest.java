package io.clusterecho.client.counters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.clusterecho.control.member.MemberHost;
import io.clusterecho.media.counters.CounterColumn;
import io.clusterecho.platform.MachineColumn;
import io.clusterecho.reporting.evidence.FullDisk;
import io.clusterecho.reporting.measurement.SampleInterval;
import io.clusterecho.reporting.results.CsvTable;
import io.clusterecho.reporting.results.FileNames;
import io.clusterecho.reporting.results.ResultFolder;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EvidenceOfCountersTest implements CounterSource
{
    private static final String PROCESS_ROW = "client,1" + ",7".repeat(CounterColumn.values().length);
    private static final String MACHINE_ROW = "7" + ",7".repeat(MachineColumn.values().length - 1);

    @TempDir
    private Path path;
    private final FullDisk disk = new FullDisk(1_000_000);
    private boolean isClosed;

    @Test
    void shouldKeepTheRowsOfWholeIntervalsWhenTheDiskIsFull() throws IOException
    {
        final CounterFiles files = new CounterFiles(new ResultFolder(path, disk), this, List.of());
        files.onInterval(SampleInterval.of(0));
        assertThat(files.problems()).isEmpty();

        // Two processes have a row in each interval; only the first one fits.
        disk.roomBytes(PROCESS_ROW.length() + 20);
        files.onInterval(SampleInterval.of(1));
        disk.roomBytes(1_000_000);
        files.onInterval(SampleInterval.of(2));
        files.close();

        assertThat(files.problems()).first().isEqualTo("counters.csv is incomplete from 1.0 s on: No space left on device");
        assertThat(CsvTable.read(path.resolve(FileNames.COUNTERS)).rowCount()).isEqualTo(2);
        assertThat(isClosed).isTrue();
    }

    @Test
    void shouldNameEachFileThatIsIncomplete() throws IOException
    {
        final CounterFiles files = new CounterFiles(new ResultFolder(path, disk), this, List.of());
        disk.roomBytes(0);
        files.onInterval(SampleInterval.of(0));
        files.close();

        assertThat(files.problems()).containsExactly(
            "counters.csv is incomplete from 0.0 s on: No space left on device",
            "machine.csv is incomplete from 0.0 s on: No space left on device");
        assertThat(CsvTable.read(path.resolve(FileNames.COUNTERS)).rowCount()).isZero();
        assertThat(CsvTable.read(path.resolve(FileNames.MACHINE)).rowCount()).isZero();
    }

    @Test
    void shouldCloseTheSourceWhenTheFilesCannotBeBegun()
    {
        disk.roomBytes(10);

        assertThatThrownBy(() -> new CounterFiles(new ResultFolder(path, disk), this, List.of()))
            .isInstanceOf(UncheckedIOException.class).hasMessageContaining(path.resolve(FileNames.COUNTERS).toString());
        assertThat(isClosed).isTrue();
    }

    @Test
    void shouldCloseTheFilesWhenTheSourceFailsToClose() throws IOException
    {
        final CounterFiles files = new CounterFiles(
            new ResultFolder(path, disk),
            new CounterSource()
            {
                @Override
                public Rows take()
                {
                    return new Rows(List.of(PROCESS_ROW), MACHINE_ROW);
                }

                @Override
                public void close()
                {
                    throw new IllegalStateException("stuck");
                }
            },
            List.of());

        assertThatThrownBy(files::close).hasMessage("stuck");
        files.onInterval(SampleInterval.of(0));
        assertThat(files.problems()).as("closed files take no more rows").hasSize(2);
    }

    @Test
    void shouldNameTheHostWhoseFileIsIncomplete() throws IOException
    {
        final CounterFiles files =
            new CounterFiles(new ResultFolder(path, disk), this, List.of(host(""), host("a"), host("b")));
        files.onInterval(SampleInterval.of(0));
        assertThat(files.problems()).isEmpty();
        disk.roomBytes(0);
        files.onInterval(SampleInterval.of(1));
        files.close();

        assertThat(files.problems()).hasSize(4).contains(
            "hosts/a/machine.csv is incomplete from 1.0 s on: No space left on device",
            "hosts/b/machine.csv is incomplete from 1.0 s on: No space left on device");
        assertThat(CsvTable.read(path.resolve("hosts/a/machine.csv")).rowCount()).isEqualTo(1);
        assertThat(path.resolve("hosts").toFile().list()).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void shouldRefuseAHostOfWhichNoFileCanBeBegun() throws IOException
    {
        final Path without = Files.createDirectory(path.resolve("without"));
        new CounterFiles(new ResultFolder(without, disk), this, List.of()).close();
        disk.roomBytes(
            Files.size(without.resolve(FileNames.COUNTERS)) + Files.size(without.resolve(FileNames.MACHINE)) + 10);

        assertThatThrownBy(() -> new CounterFiles(new ResultFolder(path, disk), this, List.of(host("a"))))
            .isInstanceOf(UncheckedIOException.class).hasMessageContaining("hosts/a/machine.csv");
        assertThat(isClosed).isTrue();
    }

    @Override
    public Rows take()
    {
        return new Rows(List.of(PROCESS_ROW, PROCESS_ROW), MACHINE_ROW);
    }

    @Override
    public void close()
    {
        isClosed = true;
    }

    private static MemberHost host(final String name)
    {
        return (MemberHost)Proxy.newProxyInstance(
            MemberHost.class.getClassLoader(), new Class<?>[]{ MemberHost.class }, (proxy, method, arguments) ->
                switch (method.getName())
                {
                    case "name" -> name;
                    case "machineUse" -> new long[]{ 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
                    default -> throw new UnsupportedOperationException(method.toString());
                });
    }
}
