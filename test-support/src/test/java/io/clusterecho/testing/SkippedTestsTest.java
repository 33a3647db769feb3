package io.clusterecho.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SkippedTestsTest
{
    private static final long BEGAN_MS = 1_700_000_000_000L;
    private static final String PASSED = "<testcase name=\"shouldPass\" classname=\"io.clusterecho.Passed\" time=\"0.1\"/>";

    @TempDir
    private Path root;

    @Test
    void shouldListWhatWasSkippedInAllModulesByUnitAndSystemTests() throws IOException
    {
        report("platform/target/surefire-reports/TEST-a.xml", BEGAN_MS, PASSED + skipped("B", "shouldB", "needs b: no&#10; b"));
        report("examples/order-book/target/surefire-reports/TEST-c.xml", BEGAN_MS, PASSED);
        report("system-tests/target/failsafe-reports/TEST-b.xml", BEGAN_MS + 5, skipped("AIT", "shouldA", "needs a: no a"));

        assertThat(printed()).isEqualTo(
            "Skipped tests: 2 of 4\n  AIT.shouldA: needs a: no a\n  B.shouldB: needs b: no b\n");
    }

    @Test
    void shouldTakeTheReasonOfAnAssumptionFromItsStackTrace() throws IOException
    {
        report("platform/target/surefire-reports/TEST-a.xml", BEGAN_MS,
            "<testcase name=\"shouldA\" classname=\"A\"><skipped type=\"org.opentest4j.TestAbortedException\"><![CDATA[" +
            "org.opentest4j.TestAbortedException: needs ptrace: strace may not:\n  not permitted\n" +
            "\tat org.junit.jupiter.api.Assumptions.abort(Assumptions.java:316)\n" +
            "\tat io.clusterecho.testing.Need.check(Need.java:121)\n]]></skipped></testcase>" +
            "<testcase name=\"shouldB\" classname=\"A\"><skipped type=\"org.opentest4j.TestAbortedException\">" +
            "org.opentest4j.TestAbortedException\n\tat A.shouldB(A.java:1)\n</skipped></testcase>");
        assertThat(printed()).isEqualTo(
            "Skipped tests: 2 of 2\n  A.shouldA: needs ptrace: strace may not: not permitted\n  A.shouldB: no reason given\n");
    }

    @Test
    void shouldSaySoWhenNothingWasSkipped() throws IOException
    {
        report("platform/target/surefire-reports/TEST-a.xml", BEGAN_MS, PASSED);
        assertThat(printed()).isEqualTo("Skipped tests: none of 1\n");
    }

    @Test
    void shouldLeaveOutWhatEarlierBuildsSkipped() throws IOException
    {
        report("platform/target/surefire-reports/TEST-a.xml", BEGAN_MS - 1, skipped("A", "shouldA", "needs a: no a"));
        report("schemas/target/surefire-reports/TEST-b.xml", BEGAN_MS, PASSED);
        assertThat(printed()).isEqualTo("Skipped tests: none of 1\n");
    }

    @Test
    void shouldPrintNothingWhenTheBuildRanNoTests() throws IOException
    {
        report("platform/target/surefire-reports/TEST-a.xml", BEGAN_MS - 1, skipped("A", "shouldA", "needs a: no a"));
        Files.createFile(root.resolve("pom.xml"));
        assertThat(printed()).isEmpty();
    }

    @Test
    void shouldNameAClassThatWasSkippedAsAWholeAndATestWithoutAReason() throws IOException
    {
        report("platform/target/surefire-reports/TEST-a.xml", BEGAN_MS,
            skipped("A", "", "no Linux") + "<testcase name=\"shouldB\" classname=\"B\"><skipped/></testcase>");
        assertThat(printed()).isEqualTo("Skipped tests: 2 of 2\n  A: no Linux\n  B.shouldB: no reason given\n");
    }

    @Test
    void shouldNameAnIncompleteReport() throws IOException
    {
        final Path report = report("platform/target/surefire-reports/TEST-a.xml", BEGAN_MS, PASSED);
        Files.writeString(report, "<testsuite>" + skipped("A", "shouldA", "needs a: no a"));
        report("schemas/target/surefire-reports/TEST-b.xml", BEGAN_MS, skipped("B", "shouldB", "needs b: no b"));
        assertThat(printed()).startsWith("Skipped tests: 2 of 1")
            .contains("B.shouldB: needs b", "TEST-a.xml: incomplete or damaged report");
    }

    @Test
    void shouldAppendToAListOfSeveralBuilds() throws IOException
    {
        report("platform/target/surefire-reports/TEST-a.xml", BEGAN_MS, skipped("A", "shouldA", "needs a: no a"));
        final Path list = Files.writeString(root.resolve("list"), "the scripts: shellcheck is not installed\n");
        SkippedTests.of(root, BEGAN_MS).appendTo(list);
        assertThat(list).hasContent("the scripts: shellcheck is not installed\nA.shouldA: needs a: no a\n");
    }

    private String printed() throws IOException
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        SkippedTests.of(root, BEGAN_MS).print(new PrintStream(bytes, true, UTF_8));
        return bytes.toString(UTF_8);
    }

    private Path report(final String name, final long writtenMs, final String cases) throws IOException
    {
        final Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite>" + cases + "</testsuite>\n");
        return Files.setLastModifiedTime(file, FileTime.fromMillis(writtenMs));
    }

    private static String skipped(final String className, final String name, final String reason)
    {
        return "<testcase name=\"" + name + "\" classname=\"io.clusterecho." + className + "\"><skipped message=\"" + reason +
            "\"/></testcase>";
    }
}
