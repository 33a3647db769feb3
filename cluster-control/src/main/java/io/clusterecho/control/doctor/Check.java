package io.clusterecho.control.doctor;

import java.util.Locale;

import com.fasterxml.jackson.annotation.JsonValue;

/** Result of a check: what was found or why unknown, what is wanted and why, and a fix; the last two may be empty. */
record Check(String name, Level level, String found, String wanted, String fix)
{
    enum Level
    {
        /** The host is as required. */
        OK,
        /** Works, with worse numbers. */
        WARN,
        /** Does not work, or numbers are meaningless. */
        FAIL,
        /** The host does not report it. */
        UNKNOWN;

        @JsonValue
        String text()
        {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** What was found: as required, unless a condition that follows is true, of which the first counts. */
    static Check of(final String name, final String found)
    {
        return new Check(name, Level.OK, found, "", "");
    }

    static Check unknown(final String name, final String why, final String wanted)
    {
        return new Check(name, Level.UNKNOWN, why, wanted, "");
    }

    Check warnIf(final boolean condition, final String wanted, final String fix)
    {
        return condition && Level.OK == level ? new Check(name, Level.WARN, found, wanted, fix) : this;
    }

    Check failIf(final boolean condition, final String wanted, final String fix)
    {
        return condition && Level.OK == level ? new Check(name, Level.FAIL, found, wanted, fix) : this;
    }

    String line()
    {
        return "%-8s %-15s %s%s%s".formatted(
            level.text(), name, found, wanted.isEmpty() ? "" : "; wanted: " + wanted, fix.isEmpty() ? "" : "; fix: " + fix);
    }
}
