package io.clusterecho.control.doctor;

/**
 * Result of one check: the present state or why it is unknown, the required state with the reason, and a command to paste or
 * another action; the last two are empty if there is nothing to do.
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

    /** The check as one line of text. */
    String line()
    {
        return "%-8s %-15s %s%s%s".formatted(
            level.name().toLowerCase(java.util.Locale.ROOT), name, found, wanted.isEmpty() ? "" : "; wanted: " + wanted,
            fix.isEmpty() ? "" : "; fix: " + fix);
    }
}
