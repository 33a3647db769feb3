package io.clusterecho.reporting.results;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.clusterecho.settings.IllegalArgument;

/** A table in a result folder. Columns are found by name, because later versions may add some and earlier ones have fewer. */
public final class CsvTable
{
    private final List<String> header;
    private final Map<String, Integer> indexes = new HashMap<>();
    private final List<String[]> rows = new ArrayList<>();

    /**
     * @param lines of the file, the header first; fields are not quoted.
     * @throws IllegalArgumentException if a line does not have as many fields as the header; the message names the line.
     */
    public CsvTable(final List<String> lines)
    {
        header = lines.isEmpty() ? List.of() : Arrays.asList(lines.get(0).split(",", -1));
        for (int i = 0; i < header.size(); i++)
        {
            indexes.put(header.get(i), i);
        }
        for (int i = 1; i < lines.size(); i++)
        {
            final String[] fields = lines.get(i).split(",", -1);
            IllegalArgument.throwIf(
                fields.length != header.size(),
                "line " + (i + 1) + " has " + fields.length + " fields, the header has " + header.size());
            rows.add(fields);
        }
    }

    /**
     * @param file to read; if it does not exist, as in folders of earlier versions, the table has no rows.
     * @throws IOException              if it cannot be read.
     * @throws IllegalArgumentException if it is damaged.
     */
    public static CsvTable read(final Path file) throws IOException
    {
        return new CsvTable(Files.exists(file) ? Files.readAllLines(file, StandardCharsets.UTF_8) : List.of());
    }

    public int rowCount()
    {
        return rows.size();
    }

    /** A table of some of the rows, without those that this one does not have. */
    CsvTable rows(final int[] some)
    {
        final CsvTable part = new CsvTable(header.isEmpty() ? List.of() : List.of(String.join(",", header)));
        Arrays.stream(some).filter((row) -> row < rowCount()).mapToObj(rows::get).forEach(part.rows::add);
        return part;
    }

    public List<String> columns()
    {
        return header;
    }

    /** The same table, which has the needed columns; an {@link IllegalArgumentException} names one that it lacks. */
    public CsvTable having(final List<String> needed)
    {
        needed.stream().filter((column) -> !indexes.containsKey(column)).findFirst().ifPresent((column) ->
        {
            throw new IllegalArgumentException("line 1 has no column " + column);
        });
        return this;
    }

    /** A field as text; empty if the table has no such column. */
    public String text(final int row, final String column)
    {
        final Integer index = indexes.get(column);
        return null == index ? "" : rows.get(row)[index];
    }

    /**
     * A field as a number.
     *
     * @return NaN if the field is empty or the table has no such column.
     * @throws IllegalArgumentException if the field is not a number; the message names the line.
     */
    public double number(final int row, final String column)
    {
        return text(row, column).isEmpty() ? Double.NaN : given(row, column);
    }

    /** A field as a number, which it must be; throws as {@link #number} does. */
    public double given(final int row, final String column)
    {
        return parsed(row, column, Double::valueOf);
    }

    /** A field as a whole number, which it must be; throws as {@link #number} does. */
    public long count(final int row, final String column)
    {
        return parsed(row, column, Long::valueOf);
    }

    private <T> T parsed(final int row, final String column, final Function<String, T> parser)
    {
        final String text = text(row, column);
        try
        {
            return parser.apply(text);
        }
        catch (final NumberFormatException ex)
        {
            throw new IllegalArgumentException(
                "line " + (row + 2) + " has a field " + column + " that is not a number: " + text, ex);
        }
    }
}
