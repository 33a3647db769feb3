package io.clusterecho.failover.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.testing.Fuzz;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is in the files that an audit reads: they are read, or a finding, a note or a message says what is wrong. */
class DamagedRecordsTest
{
    private static final List<Class<? extends Throwable>> REFUSALS = List.of(InvalidSettingException.class);
    private static final int JOURNAL_LENGTH = 32 + 200 * 24;

    @TempDir
    private Path folder;

    @Test
    void shouldReadOrRefuseAJournal() throws IOException
    {
        final byte[] whole = Files.readAllBytes(RecordedCluster.recorded().resolve("journal"));
        final byte[] sample = Arrays.copyOf(whole, Math.min(whole.length, JOURNAL_LENGTH));
        final Path journal = folder.resolve("journal.bin");

        assertThat(Fuzz.run("journal", 1_000, List.of(sample), REFUSALS, (input) ->
        {
            Files.write(journal, input);
            AuditedClients.read(List.of(journal), null, new AuditFindings());
        })).isPositive();
    }

    @Test
    void shouldReadOrNoteStateDigests() throws IOException
    {
        final Path log = Files.createDirectories(folder.resolve("member-0").resolve("cluster")).resolve("state.log");
        final byte[] sample = "128 1 00000000000000ff\n256 2 ffffffffffffffff\n".getBytes(StandardCharsets.US_ASCII);

        Fuzz.run("state", 1_000, List.of(sample), List.of(), (input) ->
        {
            Files.write(log, input);
            MemberState.read(folder.resolve("member-0"), 0, new AuditFindings());
        });
    }

    @ParameterizedTest
    @ValueSource(strings = { "segment", "archive.catalog", "recording.log" })
    void shouldAuditARecordedLogHoweverItIsDamaged(final String kind) throws IOException
    {
        final Path member = RecordedCluster.members("closed", folder).get(0);
        final Path file;
        try (var files = Files.walk(member))
        {
            file = files.filter((path) -> path.toString().endsWith("segment".equals(kind) ? ".rec" : kind)).sorted()
                .findFirst().orElseThrow();
        }
        final byte[] sample = Files.readAllBytes(file);

        Fuzz.run(kind, 100, List.of(sample), REFUSALS, (input) ->
        {
            Files.write(file, input);
            final AuditReport report = Auditor.audit(List.of(member), List.of(RecordedCluster.recorded().resolve("journal")));
            assertThat(report.findings()).isNotNull();
        });
    }

    @Test
    void shouldNotAllocateWhatALengthInACatalogStates() throws IOException
    {
        final Path member = RecordedCluster.members("closed", folder).get(0);
        final Path catalog = member.resolve("archive").resolve("archive.catalog");
        final ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(catalog)).order(ByteOrder.LITTLE_ENDIAN);
        // Behind the header, the header of the first recording and its numbers: the length of its channel.
        bytes.putInt(32 + 32 + 80, Integer.MAX_VALUE);
        Files.write(catalog, bytes.array());

        assertThat(MemberLog.open(member, 0).problem()).contains("at byte 148 a length is 2147483647, at most ");
    }
}
