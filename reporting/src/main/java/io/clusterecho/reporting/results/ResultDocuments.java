package io.clusterecho.reporting.results;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Io;

/**
 * The documents of a result that contain its verdict. All are made from one verdict, and failing to write one changes the
 * verdict: an incomplete result is not good, whichever document is read. Documents can be printed even if they could not be
 * written, so nothing measured is lost. For one thread.
 */
public final class ResultDocuments
{
    private final ResultFolder folder;
    private final Map<String, Function<Verdict, String>> documents = new LinkedHashMap<>();
    private final Map<String, Supplier<String>> files = new LinkedHashMap<>();
    private final Map<String, Runnable> pages = new LinkedHashMap<>();
    private final Set<String> records = new HashSet<>();
    private final Map<String, String> texts = new HashMap<>();
    private final Set<String> written = new HashSet<>();
    private List<String> problems = List.of();

    public ResultDocuments(final ResultFolder folder)
    {
        this.folder = folder;
    }

    public ResultFolder folder()
    {
        return folder;
    }

    /** Add a document in UTF-8. Documents are written in the order in which they are added. */
    public void add(final String name, final Function<Verdict, String> content)
    {
        documents.put(name, content);
    }

    /**
     * Add a document that later commands resume from. Its data matters more than its verdict: if there is no room to replace it,
     * the old one is kept.
     */
    public void addRecord(final String name, final Function<Verdict, String> content)
    {
        add(name, content);
        records.add(name);
    }

    /** Add a file without a verdict. Such files are written before the documents, so that the verdict covers them. */
    public void addFile(final String name, final Supplier<String> content)
    {
        files.put(name, content);
    }

    /** Add a file made from the others, written last. If it cannot be written, it is removed. */
    public void addPage(final String name, final Runnable write)
    {
        pages.put(name, write);
    }

    /** What the last call could not write: a sentence each, also reasons of the verdict. */
    public List<String> problems()
    {
        return problems;
    }

    /** A document as last made, whether or not it could be written. */
    public String text(final String name)
    {
        return texts.get(name);
    }

    /** Judge a run and write its documents. */
    public Verdict write(final RunEvidence evidence)
    {
        return write((unwritten) -> Verdict.of(evidence.with(unwritten)));
    }

    /** Judge, given what could not be written, and write. */
    public Verdict write(final Function<List<String>, Verdict> judge)
    {
        final List<String> unwritten = new ArrayList<>();
        files.forEach((name, content) -> attempt(name, () -> folder.write(name, content.get()), unwritten));
        Verdict verdict = judge.apply(List.copyOf(unwritten));
        int judgedCount = unwritten.size();
        write(verdict, unwritten);
        if (unwritten.size() > judgedCount)
        {
            // The documents already written do not mention the failures.
            verdict = judge.apply(List.copyOf(unwritten));
            judgedCount = unwritten.size();
            write(verdict, new ArrayList<>());
        }
        pages.forEach((name, write) ->
        {
            if (!attempt(name, write, unwritten))
            {
                attempt(name, () -> delete(name), new ArrayList<>());
            }
        });
        if (unwritten.size() > judgedCount)
        {
            verdict = judge.apply(List.copyOf(unwritten));
            write(verdict, new ArrayList<>());
        }

        problems = List.copyOf(unwritten);
        return verdict;
    }

    /**
     * Write all documents with a verdict. If there is no room for a new one next to the old one, delete the old one first: no
     * document is better than one with an outdated verdict. Documents that others wrote are left alone.
     */
    private void write(final Verdict verdict, final List<String> unwritten)
    {
        documents.forEach((name, content) -> texts.put(name, content.apply(verdict)));
        for (final String name : documents.keySet())
        {
            if (!attempt(name, () -> write(name), unwritten) && written.contains(name) && !records.contains(name))
            {
                attempt(name, () -> delete(name), unwritten);
                attempt(name, () -> write(name), unwritten);
            }
        }
    }

    private void write(final String name)
    {
        folder.write(name, text(name));
        written.add(name);
    }

    private void delete(final String name)
    {
        Io.run(
            "cannot delete " + name + " in " + folder.path(), () -> Files.deleteIfExists(folder.path().resolve(name)));
    }

    /** @return whether it was done; if not, the reason is added. */
    private static boolean attempt(final String name, final Runnable write, final List<String> unwritten)
    {
        try
        {
            write.run();
            return true;
        }
        catch (final RuntimeException ex)
        {
            final String cause = null != ex.getCause() ? ex.getCause().getMessage() :
                ex instanceof InvalidSettingException ? ex.getMessage() : ex.toString();
            unwritten.add("the result is incomplete: " + name + " could not be written (" + cause + ")");
            return false;
        }
    }
}
