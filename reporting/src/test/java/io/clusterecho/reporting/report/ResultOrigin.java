package io.clusterecho.reporting.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.results.DocumentKind;

/**
 * At which commits a committed result was made, and which code its figures depend on.
 *
 * @param name    of its folder.
 * @param commits in its documents and in the last column of tables of its page; if there are none, those that its page names in
 *                a line {@code Made at commit ...}; as recorded, with the suffix {@code -modified} where the sources had other
 *                changes. Not one of a table that begins one of a document.
 * @param code    folders of sources, relative to the root.
 */
record ResultOrigin(String name, SortedSet<String> commits, List<String> code)
{
    /** Begin of the names of folders that others have contributed. */
    static final String CONTRIBUTED = "contributed-";
    static final Pattern COMMIT = Pattern.compile("[0-9a-f]{7,40}(-modified)?");

    private static final String MODIFIED = "-modified";
    private static final Pattern MADE_AT = Pattern.compile("(?m)^Made at commit ([0-9a-f]+)");
    /** The last cell of a row, if it has nothing but commits; digits alone are a number. */
    private static final Pattern CELL = Pattern.compile("(?m)\\| ([0-9a-f]{7,40}(?:, [0-9a-f]{7,40})*) \\|$");
    private static final Pattern NUMBER = Pattern.compile("[0-9]+");
    private static final List<String> CODE_OF_ALL = List.of(
        "cluster-node/src/main", "load-client/src/main", "media/src/main", "platform/src/main", "schemas/src/main");
    private static final String CODE_OF_FAILOVER = "failover/src/main";
    private static final String CODE_OF_PEERS = "peers/src/main";
    private static final List<String> OWN_TRANSPORTS = List.of("", "cluster", "memory");

    /**
     * The folders of committed results; all others below {@code results} are ignored by git.
     *
     * @param results their parent.
     * @return at least one, sorted.
     */
    static List<Path> committed(final Path results) throws IOException
    {
        try (Stream<Path> all = Files.list(results))
        {
            final List<Path> folders =
                all.filter((path) -> path.getFileName().toString().matches("(reference|contributed)-.*")).sorted().toList();
            if (folders.isEmpty())
            {
                throw new IllegalStateException("no folder reference-* in " + results);
            }
            return folders;
        }
    }

    /**
     * Read a folder.
     *
     * @param folder of one or more results, with a {@code README.md} if not all of them have documents.
     * @return without commits if none is recorded.
     */
    static ResultOrigin of(final Path folder) throws IOException
    {
        final SortedSet<String> commits = new TreeSet<>();
        boolean isWithFailover = false;
        boolean isWithPeers = false;
        for (final Path file : documents(folder))
        {
            final JsonNode document = Documents.parse(Files.readString(file));
            commits.add(document.at("/versions/commit").asText());
            final String format = document.path("format").asText();
            isWithFailover |= DocumentKind.FAILOVER.format().equals(format);
            isWithPeers |= DocumentKind.SUITE.format().equals(format) ||
                !OWN_TRANSPORTS.contains(document.at("/configuration/transport").asText());
        }
        commits.remove("");
        if (Files.exists(folder.resolve("README.md")))
        {
            addCommitsOfPage(Files.readString(folder.resolve("README.md")), commits);
        }

        final List<String> code = new ArrayList<>(CODE_OF_ALL);
        if (isWithFailover)
        {
            code.add(CODE_OF_FAILOVER);
        }
        if (isWithPeers)
        {
            code.add(CODE_OF_PEERS);
        }
        return new ResultOrigin(folder.getFileName().toString(), commits, code);
    }

    private static void addCommitsOfPage(final String page, final SortedSet<String> commits)
    {
        CELL.matcher(page).results().flatMap((cell) -> Arrays.stream(cell.group(1).split(", ")))
            .filter((commit) -> !NUMBER.matcher(commit).matches())
            .filter((commit) -> commits.stream().noneMatch((known) -> known.startsWith(commit))).forEach(commits::add);
        if (commits.isEmpty())
        {
            MADE_AT.matcher(page).results().forEach((made) -> commits.add(made.group(1)));
        }
    }

    /** Its commits that are not in a history. */
    List<String> missing(final CheckoutHistory history) throws IOException, InterruptedException
    {
        final List<String> missing = new ArrayList<>();
        for (final String commit : commits)
        {
            if (!history.contains(withoutSuffix(commit)))
            {
                missing.add(commit);
            }
        }
        return missing;
    }

    /**
     * How old it is, in a line. A warning if its code has changed.
     *
     * @param history that contains its commits.
     */
    String line(final CheckoutHistory history) throws IOException, InterruptedException
    {
        final List<String> made = new ArrayList<>();
        int changeCount = 0;
        for (final String commit : commits)
        {
            made.add(commit + " (" + history.date(withoutSuffix(commit)) + ")");
            changeCount = Math.max(changeCount, history.changeCount(withoutSuffix(commit), code));
        }
        return (0 == changeCount ? "" : "warning: ") + name + ": made at " + String.join(", ", made) + ", " +
            (0 == changeCount ? "no commit" : 1 == changeCount ? "1 commit" : changeCount + " commits") +
            " to the code it depends on since";
    }

    private static String withoutSuffix(final String commit)
    {
        return commit.endsWith(MODIFIED) ? commit.substring(0, commit.length() - MODIFIED.length()) : commit;
    }

    private static List<Path> documents(final Path folder) throws IOException
    {
        try (Stream<Path> files = Files.walk(folder))
        {
            return files.filter((file) -> file.toString().endsWith(".json")).sorted().toList();
        }
    }
}
