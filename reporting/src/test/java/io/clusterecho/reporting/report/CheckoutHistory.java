package io.clusterecho.reporting.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The commits of a checkout, by git. */
final class CheckoutHistory
{
    private final Path git;
    private final Path root;
    private final Duration timeout;

    /**
     * @param git     the program.
     * @param root    of the checkout.
     * @param timeout of each question.
     */
    CheckoutHistory(final Path git, final Path root, final Duration timeout)
    {
        this.git = git;
        this.root = root;
        this.timeout = timeout;
    }

    private record Answer(int status, String text)
    {
    }

    /**
     * What the checkout lacks to answer for every commit.
     *
     * @return a sentence, empty if nothing.
     */
    String gap() throws IOException, InterruptedException
    {
        if (!Files.exists(root.resolve(".git")))
        {
            return "the sources have no .git, as in an archive";
        }
        final Answer shallow = ask("rev-parse", "--is-shallow-repository");
        return 0 != shallow.status() ? "git cannot read the checkout: " + shallow.text() :
            "true".equals(shallow.text()) ? "the clone is shallow" : "";
    }

    /** Whether a commit is HEAD or one of its ancestors; false for an unknown one. */
    boolean contains(final String commit) throws IOException, InterruptedException
    {
        return 0 == ask("merge-base", "--is-ancestor", commit, "HEAD").status();
    }

    /** The day of a commit, as in {@code 2026-11-22}. */
    String date(final String commit) throws IOException, InterruptedException
    {
        return run("log", "-1", "--format=%cs", commit);
    }

    /**
     * Number of commits to folders since a commit.
     *
     * @param commit  that HEAD contains.
     * @param folders relative to the root.
     */
    int changeCount(final String commit, final List<String> folders) throws IOException, InterruptedException
    {
        return Integer.parseInt(run(Stream.concat(
            Stream.of("rev-list", "--count", commit + "..HEAD", "--"), folders.stream()).toArray(String[]::new)));
    }

    /**
     * Run git in the checkout.
     *
     * @return what it printed, without blanks at the ends.
     * @throws IllegalStateException with its output, if it failed or did not end in time.
     */
    String run(final String... arguments) throws IOException, InterruptedException
    {
        final Answer answer = ask(arguments);
        if (0 != answer.status())
        {
            throw new IllegalStateException(
                "git " + String.join(" ", arguments) + " ended with " + answer.status() + ": " + answer.text());
        }
        return answer.text();
    }

    private Answer ask(final String... arguments) throws IOException, InterruptedException
    {
        final List<String> command = new ArrayList<>(List.of(git.toString(), "-C", root.toString()));
        command.addAll(Arrays.asList(arguments));
        final Path output = Files.createTempFile("git", ".txt");
        try
        {
            final ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
            builder.environment().put("LC_ALL", "C");
            final Process process = builder.start();
            if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS))
            {
                process.destroyForcibly();
                throw new IllegalStateException(
                    "git " + String.join(" ", arguments) + " did not end within " + timeout.toMillis() + " ms");
            }
            return new Answer(process.exitValue(), Files.readString(output).strip());
        }
        finally
        {
            Files.delete(output);
        }
    }
}
