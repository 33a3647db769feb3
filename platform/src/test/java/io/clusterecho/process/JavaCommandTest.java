package io.clusterecho.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class JavaCommandTest
{
    private static final String JAVA = Path.of(System.getProperty("java.home"), "bin", "java").toString();

    /** Prints its arguments. */
    static final class Printer
    {
        private Printer()
        {
        }

        public static void main(final String[] args)
        {
            System.out.println(System.getProperty("of.a.test") + " " + String.join(" ", args));
        }
    }

    @Test
    void shouldRunAClassOfThisProgram() throws Exception
    {
        final Process process = new ProcessBuilder(JavaCommand.ofProgram(
            JavaCommandTest.class, Printer.class.getName(), List.of("-Xmx32m", "-Dof.a.test=flag"), List.of("one", "two words")))
            .redirectError(ProcessBuilder.Redirect.INHERIT).start();

        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip())
            .isEqualTo("flag one two words");
        assertThat(process.waitFor()).isZero();
    }

    @Test
    void shouldRunAJar()
    {
        final Path jar = JavaCommand.placeOf(Test.class);

        assertThat(jar).isRegularFile();
        assertThat(JavaCommand.ofProgram(Test.class, "no.such.Class", List.of("-Xmx32m"), List.of("help")))
            .startsWith(JAVA, "-Xmx32m").containsAll(JavaCommand.ownFlags("--add-.*"))
            .endsWith("-jar", jar.toString(), "help");
    }

    @Test
    void shouldOpenToAClassWhatIsOpenHere()
    {
        final List<String> added = JavaCommand.ownFlags("--add-.*");

        assertThat(JavaCommand.ofClass("io.x.Main", List.of("-Xmx32m"), List.of()))
            .startsWith(JAVA, "-Xmx32m").containsAll(added).endsWith("io.x.Main");
        assertThat(JavaCommand.ownFlags("no flag is like this")).isEmpty();
    }

    @Test
    void shouldNameTheFolderOfAClass()
    {
        assertThat(Files.isDirectory(JavaCommand.placeOf(JavaCommandTest.class))).isTrue();
    }
}
