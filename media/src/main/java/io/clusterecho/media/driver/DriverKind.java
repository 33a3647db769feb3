package io.clusterecho.media.driver;

import java.util.Locale;

/**
 * Who moves the datagrams.
 */
public enum DriverKind
{
    /** Aeron's driver in Java, within the process that uses it. */
    JAVA,

    /** Aeron's driver in C, a process of its own that is started, watched and stopped by the one that uses it. */
    C,

    /** Any driver of the same version: one that works in a folder already, or one that a command line starts. */
    EXTERNAL;

    /**
     * The kind of a name.
     *
     * @param name as {@link #text()} gives it.
     * @throws IllegalArgumentException if there is none.
     */
    public static DriverKind of(final String name)
    {
        for (final DriverKind kind : values())
        {
            if (kind.text().equals(name))
            {
                return kind;
            }
        }

        throw new IllegalArgumentException(name);
    }

    /**
     * How users name it.
     *
     * @return in small letters.
     */
    public String text()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
