package io.clusterecho.client.calibration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.client.load.Idle;
import io.clusterecho.reporting.report.DocumentedResult;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.results.CalibrationNote;
import io.clusterecho.reporting.results.RunDescription;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CalibrationsTest
{
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Instant MADE = Instant.parse("2026-11-20T00:00:00Z");
    private static String sample;

    @TempDir
    private Path parent;

    private final List<String> warnings = new ArrayList<>();

    @BeforeAll
    static void measureOnce()
    {
        final List<CalibratedEcho> echoes = List.of(
            CalibratedEcho.measure(KnownEcho.of(500, 64, 200_000_000L, 5_000_000, false), Idle.yield, (run) -> { }),
            CalibratedEcho.measure(KnownEcho.of(500, 64, 200_000_000L, 5_000_000, true), Idle.yield, (run) -> { }));
        // Whatever a busy machine adds, no time is below the truth.
        for (final CalibratedEcho one : echoes)
        {
            assertThat(one.errors()).hasSize(6).allSatisfy((error) -> assertThat(error.errorNs()).isNotNegative());
            assertThat(one.verdict().reasons()).noneMatch((reason) -> reason.contains("lower than the true"));
        }
        final DocumentedResult calibration = Calibration.result(
            new RunDescription("calibration", MADE, "java", Map.of(), Map.of(), "none", "none emulated", 0),
            64, "yielding", 3, echoes, false);
        sample = Documents.text(calibration.document().apply(calibration.judge().apply(List.of()), "folder"));
    }

    @Test
    void shouldNameTheNewestThatAppliesWithItsAgeAndWorstErrors() throws IOException
    {
        write("a-newer", sample().put("start", "2026-11-22T00:00:00Z"));
        write("b-older", sample());
        final CalibrationNote note = of("yielding");
        assertThat(note.missing()).isNull();
        assertThat(note.folder()).isEqualTo(parent.resolve("a-newer").toString());
        assertThat(note.ageS()).isEqualTo(3_600);
        assertThat(note.worstErrorsNs()).containsEntry("p50", 7_000L).containsEntry("p99", -9_000L);
        assertThat(note.text()).startsWith("60 min ago on ").contains("p50 at most 7.00 us from the truth, p99 9.00 us")
            .endsWith("a-newer").doesNotContain("\n");
        assertThat(warnings).isEmpty();
    }

    @Test
    void shouldSayInOneLineThatThereIsNoneAndHowToMakeOne()
    {
        assertThat(of("yielding").text()).contains("none in " + parent).contains("calibrate").doesNotContain("\n");
        assertThat(Calibrations.below(parent.resolve("missing"), warnings::add).note(run("yielding"), false).missing())
            .startsWith("none in");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "/machine    | cpuModel     | Other CPU",
        "/machine    | os           | Other OS",
        "/jvm        | version      | 11",
        "/jvm        | vendor       | Nobody",
        "/versions   | cluster-echo | 0.0.0" })
    void shouldNotUseOneOfAnotherMachineJvmOrVersion(final String part, final String key, final String value)
        throws IOException
    {
        final ObjectNode document = sample();
        ((ObjectNode)document.at(part)).put(key, value);
        write("one", document);
        assertThat(of("yielding").missing())
            .contains("none in " + parent).contains("of this machine, JVM and version").contains("calibrate");
    }

    @Test
    void shouldNotUseOneForAClientWhoseDutyCycleWasPaced() throws IOException
    {
        write("one", sample());
        final Map<String, String> paced = Map.of("idle", "yielding", "duty-cycle-interval", "50000ns");
        assertThat(Calibrations.below(parent, warnings::add).note(run(paced), false).missing())
            .startsWith("none: the client began a duty cycle at most every 50.0 us");
        final Map<String, String> unpaced = Map.of("idle", "yielding", "duty-cycle-interval", "0ns");
        assertThat(Calibrations.below(parent, warnings::add).note(run(unpaced), false).missing()).isNull();
    }

    @Test
    void shouldNotUseOneOfAnotherIdleStrategyOrThatFailed() throws IOException
    {
        write("one", sample());
        assertThat(of("busyspin").missing()).contains("of idle strategy busyspin");
        final ObjectNode failed = sample();
        ((ObjectNode)failed.get("verdict")).put("good", false);
        write("one", failed);
        assertThat(of("yielding").missing()).contains("that is GOOD");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = { "{", "[]", "{\"format\": \"cluster-echo-calibration/9\"}", "{\"start\": 1}" })
    void shouldSkipWithAWarningWhatCannotBeRead(final String text) throws IOException
    {
        Files.createDirectories(parent.resolve("broken"));
        Files.writeString(parent.resolve("broken/calibration.json"), text);
        write("one", sample());
        assertThat(of("yielding").folder()).isEqualTo(parent.resolve("one").toString());
        assertThat(warnings).hasSize(1);
        assertThat(warnings.get(0)).contains("broken").contains("cannot be read").endsWith("skipped");
    }

    @Test
    void shouldSkipOneWhoseTimeIsNone() throws IOException
    {
        write("one", sample().put("start", "yesterday"));
        assertThat(of("yielding").missing()).startsWith("none in ");
        assertThat(warnings).hasSize(1);
    }

    @Test
    void shouldNameNoneWhereWorkersSentTheLoad() throws IOException
    {
        write("one", sample());
        assertThat(Calibrations.below(parent, warnings::add).note(run("yielding"), true).missing())
            .isEqualTo("none: workers sent the load, and a calibration is of a client in its own process");
    }

    private CalibrationNote of(final String idle)
    {
        return Calibrations.below(parent, warnings::add).note(run(idle), false);
    }

    private static RunDescription run(final String idle)
    {
        return run(Map.of("idle", idle));
    }

    private static RunDescription run(final Map<String, String> configuration)
    {
        return new RunDescription(
            "run", Instant.parse("2026-11-22T01:00:00Z"), "java", configuration, Map.of(), "fsync", "none emulated", 1);
    }

    private static ObjectNode sample() throws IOException
    {
        final ObjectNode document = (ObjectNode)MAPPER.readTree(sample);
        ((ObjectNode)document.get("verdict")).put("good", true);
        for (int i = 0; i < 2; i++)
        {
            for (int j = 0; j < 6; j++)
            {
                ((ObjectNode)document.at("/echoes/" + i + "/errors/" + j)).put("errorNs", 0 == i ? 7_000 : j < 2 ? 100 : -9_000);
            }
        }
        return document;
    }

    private void write(final String name, final ObjectNode document) throws IOException
    {
        Files.createDirectories(parent.resolve(name));
        Files.writeString(parent.resolve(name).resolve("calibration.json"), document.toString());
    }
}
