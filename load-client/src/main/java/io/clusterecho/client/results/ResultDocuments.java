package io.clusterecho.client.results;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The documents of a result that say what its verdict is. All of them are made from one verdict, and a document that cannot
 * be written changes it: a result that is not whole is not good, whichever document is read. What was measured is never lost
 * by that, since the documents can be printed whether or not they could be written. For one thread.
 */
public final class ResultDocuments
{
    private final ResultFolder folder;
    private final Map<String, Function<Verdict, String>> documents = new LinkedHashMap<>();
    private final Map<String, Runnable> files = new LinkedHashMap<>();
    private final Map<String, String> texts = new HashMap<>();
    private final Set<String> written = new HashSet<>();

    /**
     * No document yet.
     *
     * @param folder of the result.
     */
    public ResultDocuments(final ResultFolder folder)
    {
        this.folder = folder;
    }

    /**
     * Add a document; they are written in the order in which they were added.
     *
     * @param name    in the folder.
     * @param content in UTF-8, by the verdict.
     */
    public void add(final String name, final Function<Verdict, String> content)
    {
        documents.put(name, content);
    }

    /**
     * Add a file that holds no verdict; written before the documents, so that these know whether it could be.
     *
     * @param name  in the folder.
     * @param write which writes it.
     */
    public void addFile(final String name, final Runnable write)
    {
        files.put(name, write);
    }

    /**
     * A document as it was made last, whether or not it could be written.
     *
     * @param name in the folder.
     * @return its content.
     */
    public String text(final String name)
    {
        return texts.get(name);
    }

    /**
     * Judge and write.
     *
     * @param evidence of the run.
     * @return the verdict that the documents hold.
     */
    public Verdict write(final RunEvidence evidence)
    {
        final List<String> problems = new ArrayList<>();
        files.forEach((name, write) -> attempt(name, write, problems));
        Verdict verdict = Verdict.of(evidence.with(problems));
        final int fileProblemCount = problems.size();
        write(verdict, problems);
        if (problems.size() > fileProblemCount)
        {
            // What was written says nothing of what could not be.
            verdict = Verdict.of(evidence.with(problems));
            rewrite(verdict);
        }

        return verdict;
    }

    private void write(final Verdict verdict, final List<String> problems)
    {
        make(verdict);
        documents.keySet().forEach((name) -> attempt(name, () -> write(name), problems));
    }

    /**
     * Put another verdict in place of one that is not true any more. Where there is no room for that beside the old document,
     * the old one goes first: no document is better than a wrong one. What others wrote there before stays.
     */
    private void rewrite(final Verdict verdict)
    {
        make(verdict);
        for (final String name : documents.keySet())
        {
            final List<String> problems = new ArrayList<>();
            attempt(name, () -> write(name), problems);
            if (!problems.isEmpty() && written.contains(name))
            {
                attempt(name, () -> delete(name), problems);
                attempt(name, () -> write(name), problems);
            }
        }
    }

    private void write(final String name)
    {
        folder.write(name, text(name));
        written.add(name);
    }

    private void make(final Verdict verdict)
    {
        documents.forEach((name, content) -> texts.put(name, content.apply(verdict)));
    }

    private void delete(final String name)
    {
        try
        {
            Files.deleteIfExists(folder.path().resolve(name));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot delete " + name + " in " + folder.path(), ex);
        }
    }

    private static void attempt(final String name, final Runnable write, final List<String> problems)
    {
        try
        {
            write.run();
        }
        catch (final RuntimeException ex)
        {
            final String cause = null == ex.getCause() ? ex.toString() : ex.getCause().getMessage();
            problems.add("the result is not whole: " + name + " could not be written (" + cause + ")");
        }
    }
}
