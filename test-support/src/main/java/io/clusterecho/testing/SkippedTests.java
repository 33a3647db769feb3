package io.clusterecho.testing;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;

import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Lists the skipped tests of a build, with the reasons, at its end. Maven runs this source file directly when a build that ran
 * tests ends (see the pom at the root), so it uses only the JDK.
 * <p>
 * Reads those reports of surefire and failsafe that this build wrote.
 */
public final class SkippedTests
{
    /** Environment variable with a file to which the list is appended too, for a sequence of builds. */
    static final String LIST_FILE = "SKIPPED_CHECKS";

    private static final String REPORT = ".*/target/(surefire|failsafe)-reports/TEST-[^/]*[.]xml";
    /** Of a report below the root: those of examples are deepest. */
    private static final int MAX_DEPTH = 5;

    private final SortedSet<String> lines = new TreeSet<>();
    private int testCount;

    /**
     * Print the list, or nothing if the build ran no tests.
     *
     * @param args folder of the modules, and start of the build in milliseconds since 1970.
     * @throws IOException if reports cannot be listed or read, or the list cannot be written.
     */
    public static void main(final String[] args) throws IOException
    {
        final SkippedTests skipped = of(Path.of(args[0]), Long.parseLong(args[1]));
        skipped.print(System.out);
        final String listFile = System.getenv(LIST_FILE);
        if (null != listFile)
        {
            skipped.appendTo(Path.of(listFile));
        }
    }

    /**
     * The tests of a build.
     *
     * @param beganMs start of the build in milliseconds since 1970; older reports are of earlier builds.
     * @throws IOException if reports cannot be listed or read.
     */
    static SkippedTests of(final Path root, final long beganMs) throws IOException
    {
        final SkippedTests skipped = new SkippedTests();
        try (Stream<Path> reports = Files.find(root, MAX_DEPTH, (file, attributes) ->
            file.toString().matches(REPORT) && attributes.lastModifiedTime().toMillis() >= beganMs))
        {
            for (final Path report : reports.toList())
            {
                skipped.read(report);
            }
        }
        return skipped;
    }

    void print(final PrintStream out)
    {
        if (testCount > 0 || !lines.isEmpty())
        {
            out.println("Skipped tests: " + (lines.isEmpty() ? "none" : lines.size()) + " of " + testCount);
            lines.forEach((line) -> out.println("  " + line));
        }
    }

    void appendTo(final Path file) throws IOException
    {
        Files.write(file, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private void read(final Path report) throws IOException
    {
        try
        {
            final NodeList tests = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(report.toFile())
                .getElementsByTagName("testcase");
            for (int i = 0; i < tests.getLength(); i++)
            {
                final Element test = (Element)tests.item(i);
                final NodeList skipped = test.getElementsByTagName("skipped");
                testCount++;
                if (skipped.getLength() > 0)
                {
                    lines.add(nameOf(test) + ": " + reasonOf((Element)skipped.item(0)));
                }
            }
        }
        catch (final SAXException | ParserConfigurationException ex)
        {
            lines.add(report + ": incomplete or damaged report: " + oneLine(ex.getMessage()));
        }
    }

    /** Class and method, for instance {@code HostsIT.shouldMeasure}; only the class if all of it was skipped. */
    private static String nameOf(final Element test)
    {
        final String name = test.getAttribute("name");
        return test.getAttribute("classname").replaceFirst(".*[.]", "") + (name.isEmpty() ? "" : "." + name);
    }

    /** The reason of an annotation is an attribute; that of an assumption is only in the stack trace of its exception. */
    private static String reasonOf(final Element skipped)
    {
        final String reason = skipped.hasAttribute("message") ? skipped.getAttribute("message") : skipped.getTextContent()
            .split("\\n\\s+at ", 2)[0].strip().replaceFirst("^\\Q" + skipped.getAttribute("type") + "\\E(: )?", "");
        return reason.isBlank() ? "no reason given" : oneLine(reason);
    }

    private static String oneLine(final String text)
    {
        return text.strip().replaceAll("\\s+", " ");
    }
}
