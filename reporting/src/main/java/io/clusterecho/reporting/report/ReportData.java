package io.clusterecho.reporting.report;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.reporting.compare.TrendResults;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.foreign.ForeignResult;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.FileNames;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Io;

/** What a page has of its results: the documents as they were written, the numbers of the charts, and the texts. */
final class ReportData
{
    private static final int MAX_INTERVAL_COUNT = 300;
    private static final int MIN_INTERVAL_COUNT = 60;
    private static final int INTERVALS_OF_ALL_RUNS = 4_000;
    private static final int MIN_TIMELINE_COUNT = 2;
    private static final int TIMELINES_OF_ALL_RUNS = 24;

    /** What an index shows of a result, and what repeats have in common. */
    private static final List<String> INDEXED = List.of(
        "label", "start", "verdict", "durability", "placement", "accounts", "configuration", "cluster", "versions", "machine",
        "jvm", "slo", "responseTimeNs", "ratePerSecondAchieved", "answer", "outageNs", "outageResolutionNs");

    private final ObjectNode root =
        JsonNodeFactory.instance.objectNode().put("cellsPerDecade", Distribution.CELLS_PER_DECADE);
    private final List<String> titles = new ArrayList<>();
    /** Of the page, absolute; links are relative to it. */
    private final Path pageFolder;

    /** Kinds of documents that are not of one run, by their key in the data. */
    private static final Map<DocumentKind, String> KEYS = new EnumMap<>(Map.of(
        DocumentKind.MAX_RATE, "searches", DocumentKind.SWEEP, "sweeps", DocumentKind.SUITE, "suites",
        DocumentKind.BASELINE, "baselines"));

    private ReportData(final Path pageFolder)
    {
        this.pageFolder = pageFolder;
        root.putArray("runs");
        KEYS.values().forEach(root::putArray);
    }

    /** The data of a page of another kind, by which it is called. */
    ReportData(final Path pageFolder, final String kind, final JsonNode content)
    {
        this(pageFolder);
        root.set(kind, content);
        titles.add(kind);
    }

    /**
     * Read results.
     *
     * @param folders    of results, or files of other load generators; runs are shown in this order, those of others after them.
     * @param pageFolder of the page, absolute; links are relative to it.
     * @throws InvalidSettingException if one cannot be read; the message names the file.
     */
    static ReportData read(final List<Path> folders, final Path pageFolder)
    {
        final ReportData data = new ReportData(pageFolder);
        final List<Path> runFolders = new ArrayList<>();
        final List<Path> foreignFiles = new ArrayList<>();
        for (final Path folder : folders)
        {
            final Optional<DocumentKind> kind = KEYS.keySet().stream()
                .filter((one) -> Files.isRegularFile(folder.resolve(one.fileName()))).findFirst();
            if (kind.isPresent())
            {
                data.addDocument(folder, kind.get());
            }
            else if (isForeign(folder))
            {
                foreignFiles.addAll(Files.isDirectory(folder) ? ForeignResult.in(folder) : List.of(folder));
            }
            else
            {
                runFolders.add(folder);
            }
        }
        final int count = Math.max(1, runFolders.size());
        final int maxIntervalCount = Math.max(MIN_INTERVAL_COUNT, Math.min(MAX_INTERVAL_COUNT, INTERVALS_OF_ALL_RUNS / count));
        final int maxTimelineCount = Math.max(MIN_TIMELINE_COUNT, TIMELINES_OF_ALL_RUNS / count);
        runFolders.forEach((folder) -> data.addRun(folder, maxIntervalCount, maxTimelineCount));
        final List<ForeignResult> foreign = foreignFiles.stream().distinct().map(ForeignResult::read).toList();
        InvalidSettingException.throwIf(
            !foreign.isEmpty() && folders.stream().allMatch(ReportData::isForeign) &&
            foreign.stream().allMatch(ForeignResult::isEmpty),
            foreignFiles.stream().map(Path::toString).collect(Collectors.joining(", ")) + " contains no histogram");
        foreign.forEach(data::addForeign);
        return data;
    }

    /** Whether it is a folder of folders, without a result of its own, even of a run that was killed. */
    static boolean isOfResults(final Path path)
    {
        return Files.isDirectory(path) && Documents.read(path, Io::list).stream().anyMatch(Files::isDirectory) &&
            !Files.exists(path.resolve(FileNames.INTERVALS)) &&
            Stream.of(DocumentKind.values()).noneMatch((kind) -> Files.exists(path.resolve(kind.fileName()))) && !isForeign(path);
    }

    /** The data of an index of the runs, searches and failover tests in folders; throws as {@link TrendResults#find} does. */
    static ReportData index(final List<Path> folders, final Path pageFolder)
    {
        final TrendResults found = TrendResults.find(folders);
        final ReportData data = new ReportData(pageFolder, "results", Documents.tree(found));
        final ArrayNode results = data.root.withObject("results").putArray("results");
        found.results().forEach((result) -> results.addObject().put("link", data.link(result.folder()))
            .put("kind", result.kind().word()).set("manifest", result.manifest().<ObjectNode>deepCopy().retain(INDEXED)));
        return data;
    }

    private static boolean isForeign(final Path path)
    {
        return Files.isDirectory(path) ?
            !Files.exists(path.resolve(DocumentKind.RUN.fileName())) && !ForeignResult.in(path).isEmpty() :
            Files.isRegularFile(path) && ForeignResult.isOne(path);
    }

    /** Verdict and label of the only result, or how many there are. */
    String title()
    {
        return 1 == titles.size() ? titles.get(0) :
            titles.size() + (root.path("runs").size() == titles.size() ? " runs, " : " results, ") +
            titles.stream().filter((title) -> title.startsWith("GOOD ")).count() + " good";
    }

    /** One line of JSON that is safe inside a script element: it has no {@code <}, whatever a label contains. */
    String json()
    {
        return root.toString().replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029");
    }

    private void addDocument(final Path folder, final DocumentKind kind)
    {
        final JsonNode document = Documents.read(folder, kind);
        final ObjectNode node = root.withArray(KEYS.get(kind)).addObject();
        node.set("manifest", document);
        putFiles(node, folder, fileNames(folder));
        node.put("folderLink", link(folder));
        addTitle(document.at("/verdict/label").asText(), document);
    }

    private void addRun(final Path folder, final int maxIntervalCount, final int maxTimelineCount)
    {
        final ObjectNode run = ChartedRun.read(folder, maxIntervalCount, maxTimelineCount);
        putFiles(run, folder, fileNames(folder));
        root.withArray("runs").add(run);
        addTitle(run.at(run.has("failover") ? "/failover/verdict" : "/manifest/verdict/label").asText(), run.path("manifest"));
    }

    /** In the shape of a run, as far as the file has the data. A single interval is not drawn over time. */
    private void addForeign(final ForeignResult result)
    {
        final ObjectNode run = root.withArray("runs").addObject().put("foreign", true);
        run.set("manifest", result.manifest());
        putFiles(run, result.file().getParent(), List.of(result.file().getFileName().toString()));
        run.putObject("curves").set("response", PercentileCurve.of(result.total()));
        final ChartSeries series = new ChartSeries(result.intervals(), MAX_INTERVAL_COUNT);
        if (series.rowCount() > 1)
        {
            run.set("intervals", series.node());
            final ObjectNode times = series.node().putObject("responseNs");
            Distribution.read(result.file(), series, times, run.putArray("cells"));
        }
        addTitle(result.manifest().at("/verdict/label").asText(), result.manifest());
    }

    private void addTitle(final String verdict, final JsonNode document)
    {
        titles.add(verdict + " " + document.path("label").asText());
    }

    /** The files in a folder but pages, in order of name. */
    private static List<String> fileNames(final Path folder)
    {
        return Documents.read(folder, Io::list).stream().filter(Files::isRegularFile)
            .map((file) -> file.getFileName().toString()).filter((name) -> !name.endsWith(".html")).toList();
    }

    private void putFiles(final ObjectNode node, final Path folder, final List<String> names)
    {
        final ArrayNode files = node.putArray("files");
        names.forEach((name) -> files.addObject().put("name", name).put("link", link(folder.resolve(name))));
    }

    private String link(final Path file)
    {
        try
        {
            // Without the dot, a colon in the first name would end a scheme.
            return new URI(
                null, null, "./" + pageFolder.relativize(file.toAbsolutePath().normalize()), null).toASCIIString();
        }
        catch (final URISyntaxException ex)
        {
            throw new IllegalStateException("a path must be writable as a link: " + file, ex);
        }
    }
}
