package io.clusterecho.text;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.clusterecho.settings.IllegalArgument;

/**
 * A table for a terminal, with columns as wide as their longest cells. Text is aligned left, numbers right; units belong in the
 * header. A last column of text may have any length: lines have no trailing blanks.
 */
public final class TextTable
{
    private static final String GAP = "  ";

    private final List<Column> columns = new ArrayList<>();
    private final List<List<String>> rows = new ArrayList<>();

    public TextTable left(final String header)
    {
        return column(new Column(header, false));
    }

    /** Add a column of numbers; its header has the unit if cells have none. */
    public TextTable right(final String header)
    {
        return column(new Column(header, true));
    }

    /** Add a row, with one cell for each column. */
    public TextTable row(final List<?> cells)
    {
        IllegalArgument.throwIf(cells.size() != columns.size(), "expected cells=" + columns.size() + ", actual=" + cells.size());

        rows.add(cells.stream().map(String::valueOf).toList());
        return this;
    }

    /** Add a row, with one cell for each column. */
    public TextTable row(final Object... cells)
    {
        return row(List.of(cells));
    }

    /** The table as plain text: the headers, unless all are empty, and the rows, one per line. */
    public String text()
    {
        final List<List<String>> lines = new ArrayList<>(rows);
        final List<String> headers = columns.stream().map(Column::header).toList();
        if (!headers.stream().allMatch(String::isEmpty))
        {
            lines.add(0, headers);
        }

        final StringBuilder text = new StringBuilder();
        lines.forEach((line) -> text.append(text(line).stripTrailing()).append('\n'));

        return text.toString();
    }

    private String text(final List<String> cells)
    {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < columns.size(); i++)
        {
            final String cell = cells.get(i);
            final String blanks = " ".repeat(width(i) - cell.length());
            text.append(0 == i ? "" : GAP).append(columns.get(i).isRight() ? blanks + cell : cell + blanks);
        }

        return text.toString();
    }

    /** The table as Markdown: the headers, their alignment and the rows, one per line. */
    public String markdown()
    {
        final StringBuilder text = new StringBuilder();
        markdown(text, columns.stream().map(Column::header).toList());
        text.append('|');
        columns.forEach((column) -> text.append(column.isRight() ? "--:|" : "---|"));
        text.append('\n');
        rows.forEach((row) -> markdown(text, row));
        return text.toString();
    }

    private static void markdown(final StringBuilder text, final List<String> cells)
    {
        text.append('|');
        cells.forEach((cell) -> text.append(' ').append(cell.replace("|", "\\|")).append(cell.isEmpty() ? "|" : " |"));
        text.append('\n');
    }

    private int width(final int index)
    {
        return Stream.concat(Stream.of(columns.get(index).header()), rows.stream().map((row) -> row.get(index)))
            .mapToInt(String::length).max().orElseThrow();
    }

    private TextTable column(final Column column)
    {
        if (!rows.isEmpty())
        {
            throw new IllegalStateException("add columns before rows");
        }

        columns.add(column);
        return this;
    }

    private record Column(String header, boolean isRight)
    {
    }
}
