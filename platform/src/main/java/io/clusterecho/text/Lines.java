package io.clusterecho.text;

import java.util.Locale;

/** Formatted text, with the decimal point of the root locale whatever the user's is. */
public final class Lines
{
    public static String text(final String format, final Object... arguments)
    {
        return String.format(Locale.ROOT, format, arguments);
    }

    /** A count with its noun, which has a plural with s. */
    public static String plural(final long count, final String noun)
    {
        return count + " " + noun + (1 == count || noun.endsWith("s") ? "" : "s");
    }

    /** Append a line without blanks at its end. */
    public static void line(final StringBuilder out, final String format, final Object... arguments)
    {
        out.append(text(format, arguments).stripTrailing()).append('\n');
    }
}
