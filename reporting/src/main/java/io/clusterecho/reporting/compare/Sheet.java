package io.clusterecho.reporting.compare;

import static io.clusterecho.text.Lines.line;

import java.util.List;

import io.clusterecho.text.TextTable;

/** Headings, remarks and tables as text for a terminal, or as Markdown for the summary of a pipeline. */
final class Sheet
{
    private final StringBuilder text = new StringBuilder(4096);
    private final boolean isMarkdown;

    Sheet(final boolean isMarkdown)
    {
        this.isMarkdown = isMarkdown;
    }

    /** @param level 1 for the first line. */
    Sheet heading(final int level, final String words)
    {
        line(text, "%s", isMarkdown ? "#".repeat(2 + level) + " " + escaped(words) : words);
        return isMarkdown || 1 == level ? blank() : this;
    }

    /** A remark with the word that says what it is. */
    Sheet remark(final String word, final String words)
    {
        line(text, isMarkdown ? "- %s: %s" : "%-9s %s", word, escaped(words));
        return this;
    }

    /** A remark for each of some sentences. */
    Sheet remarks(final String word, final List<String> sentences)
    {
        sentences.forEach((sentence) -> remark(word, sentence));
        return this;
    }

    /** An entry below a heading or a table. */
    Sheet entry(final String words)
    {
        line(text, isMarkdown ? "- %s" : "  %s", escaped(words));
        return this;
    }

    Sheet table(final TextTable table, final int indent)
    {
        text.append(isMarkdown ? table.markdown() : table.text().indent(indent));
        return isMarkdown ? blank() : this;
    }

    Sheet paragraph(final String words)
    {
        line(text, "%s", escaped(words));
        return this;
    }

    Sheet blank()
    {
        line(text, "");
        return this;
    }

    private String escaped(final String words)
    {
        return isMarkdown ? words.replaceAll("([\\\\`*_|<>\\[\\]~])", "\\\\$1") : words;
    }

    @Override
    public String toString()
    {
        return text.toString();
    }
}
