package io.clusterecho.reporting.results;

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

import io.clusterecho.settings.InvalidSettingException;

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
    private final Map<String, Runnable> pages = new LinkedHashMap<>();
    private final Set<String> records = new HashSet<>();
    private final Map<String, String> texts = new HashMap<>();
    private final Set<String> written = new HashSet<>();
    private List<String> problems = List.of();

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
     * Add a document from which later commands go on. What was measured goes before what is said of it: where there is no room
     * to replace it, the old one stays, whatever its verdict.
     *
     * @param name    in the folder.
     * @param content in UTF-8, by the verdict.
     */
    public void addRecord(final String name, final Function<Verdict, String> content)
    {
        add(name, content);
        records.add(name);
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
     * Add a file that is made of the others, and so after them. One that cannot be written is removed.
     *
     * @param name  in the folder.
     * @param write which writes it.
     */
    public void addPage(final String name, final Runnable write)
    {
        pages.put(name, write);
    }

    /**
     * What the last call could not write.
     *
     * @return a sentence each, all of them reasons of the verdict.
     */
    public List<String> problems()
    {
        return problems;
    }

    /**
     * A document as it was made last, whether or not it could be written.
     *
     * @param name in the folder.
     */
    public String text(final String name)
    {
        return texts.get(name);
    }

    /**
     * Judge a run and write.
     *
     * @param evidence of the run.
     * @return the verdict that the documents hold.
     */
    public Verdict write(final RunEvidence evidence)
    {
        return write((unwritten) -> Verdict.of(evidence.with(unwritten)));
    }

    /**
     * Judge and write.
     *
     * @param judge which makes the verdict, with what could not be written.
     * @return the verdict that the documents hold.
     */
    public Verdict write(final Function<List<String>, Verdict> judge)
    {
        final List<String> unwritten = new ArrayList<>();
        files.forEach((name, write) -> attempt(name, write, unwritten));
        Verdict verdict = judge.apply(List.copyOf(unwritten));
        int judgedCount = unwritten.size();
        make(verdict);
        documents.keySet().forEach((name) -> attempt(name, () -> write(name), unwritten));
        if (unwritten.size() > judgedCount)
        {
            // What was written says nothing of what could not be.
            verdict = judge.apply(List.copyOf(unwritten));
            judgedCount = unwritten.size();
            rewrite(verdict);
        }
        pages.forEach((name, write) -> attemptPage(name, write, unwritten));
        if (unwritten.size() > judgedCount)
        {
            verdict = judge.apply(List.copyOf(unwritten));
            rewrite(verdict);
        }

        problems = List.copyOf(unwritten);
        return verdict;
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
            final List<String> again = new ArrayList<>();
            attempt(name, () -> write(name), again);
            if (!again.isEmpty() && written.contains(name) && !records.contains(name))
            {
                attempt(name, () -> delete(name), again);
                attempt(name, () -> write(name), again);
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

    private void attemptPage(final String name, final Runnable write, final List<String> unwritten)
    {
        final int before = unwritten.size();
        attempt(name, write, unwritten);
        if (unwritten.size() > before)
        {
            attempt(name, () -> delete(name), new ArrayList<>());
        }
    }

    private static void attempt(final String name, final Runnable write, final List<String> unwritten)
    {
        try
        {
            write.run();
        }
        catch (final RuntimeException ex)
        {
            final String cause = null != ex.getCause() ? ex.getCause().getMessage() :
                ex instanceof InvalidSettingException ? ex.getMessage() : ex.toString();
            unwritten.add("the result is not whole: " + name + " could not be written (" + cause + ")");
        }
    }
}
