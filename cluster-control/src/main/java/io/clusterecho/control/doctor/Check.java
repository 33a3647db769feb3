package io.clusterecho.control.doctor;

/**
 * What came out of one check.
 *
 * @param name   of the check, a word or two.
 * @param level  how it came out.
 * @param found  what there is, or why that cannot be told.
 * @param wanted what there should be, with the reason; empty where it is.
 * @param fix    a command to paste, or what else to do; empty where nothing is to be done.
 */
record Check(String name, Level level, String found, String wanted, String fix)
{
    static Check ok(final String name, final String found)
    {
        return new Check(name, Level.OK, found, "", "");
    }

    static Check warn(final String name, final String found, final String wanted, final String fix)
    {
        return new Check(name, Level.WARN, found, wanted, fix);
    }

    static Check fail(final String name, final String found, final String wanted, final String fix)
    {
        return new Check(name, Level.FAIL, found, wanted, fix);
    }

    static Check unknown(final String name, final String why, final String wanted)
    {
        return new Check(name, Level.UNKNOWN, why, wanted, "");
    }

    /**
     * A word of a command to paste.
     *
     * @param word that may hold anything.
     * @return the same, in quotes where a shell would take it for more than a word.
     */
    static String quoted(final Object word)
    {
        final String text = word.toString();
        return text.matches("[A-Za-z0-9_./:=,@%+-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
    }

    /**
     * The check as a line.
     */
    String line()
    {
        return "%-8s %-15s %s%s%s".formatted(
            level.name().toLowerCase(java.util.Locale.ROOT), name, found, wanted.isEmpty() ? "" : "; wanted: " + wanted,
            fix.isEmpty() ? "" : "; fix: " + fix);
    }
}
