package io.clusterecho.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

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

    private static final List<String> REPORT_FOLDERS = List.of("surefire-reports", "failsafe-reports");

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
        for (final Path module : list(root))
        {
            for (final String folder : REPORT_FOLDERS)
            {
                for (final Path report : list(module.resolve("target").resolve(folder)))
                {
                    final String name = report.getFileName().toString();
                    if (name.startsWith("TEST-") && name.endsWith(".xml") &&
                        Files.getLastModifiedTime(report).toMillis() >= beganMs)
                    {
                        skipped.read(report);
                    }
                }
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
        try (InputStream in = Files.newInputStream(report))
        {
            final XMLStreamReader reader = XMLInputFactory.newInstance().createXMLStreamReader(in);
            String test = "";
            while (reader.hasNext())
            {
                if (XMLStreamConstants.START_ELEMENT == reader.next())
                {
                    if ("testcase".equals(reader.getLocalName()))
                    {
                        testCount++;
                        test = testOf(reader);
                    }
                    else if ("skipped".equals(reader.getLocalName()))
                    {
                        lines.add(test + ": " + reasonOf(reader));
                    }
                }
            }
        }
        catch (final XMLStreamException ex)
        {
            lines.add(report + ": incomplete or damaged report: " + oneLine(ex.getMessage()));
        }
    }

    /** Class and method, for instance {@code HostsIT.shouldMeasure}; only the class if all of it was skipped. */
    private static String testOf(final XMLStreamReader testCase)
    {
        final String className = testCase.getAttributeValue(null, "classname");
        final String name = testCase.getAttributeValue(null, "name");
        final String simpleName = className.substring(className.lastIndexOf('.') + 1);
        return null == name || name.isEmpty() ? simpleName : simpleName + "." + name;
    }

    /** The reason of an annotation is an attribute; that of an assumption is only in the stack trace of its exception. */
    private static String reasonOf(final XMLStreamReader skippedElement) throws XMLStreamException
    {
        final String type = skippedElement.getAttributeValue(null, "type");
        final String message = skippedElement.getAttributeValue(null, "message");
        final String reason = null != message ? message :
            skippedElement.getElementText().split("\\n\\s+at ", 2)[0].replaceFirst("^\\Q" + type + "\\E(: )?", "");
        return reason.isBlank() ? "no reason given" : oneLine(reason);
    }

    private static String oneLine(final String text)
    {
        return text.strip().replaceAll("\\s+", " ");
    }

    private static List<Path> list(final Path folder) throws IOException
    {
        if (!Files.isDirectory(folder))
        {
            return Collections.emptyList();
        }
        try (Stream<Path> files = Files.list(folder))
        {
            return files.toList();
        }
    }
}
