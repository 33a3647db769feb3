package io.clusterecho.media.driver;

import java.util.Locale;
import java.util.stream.Stream;

/** Kind of media driver. */
public enum DriverKind
{
    JAVA,

    /** Aeron's C driver as a library, run by the thread of the process that uses it. */
    EMBEDDED,

    /** Aeron's C driver, a separate process that is started, watched and stopped by the one that uses it. */
    C,

    /** Any driver of the same version: already running in a folder, or started by a command line. */
    EXTERNAL;

    /** @throws IllegalArgumentException for a name that is not the {@link #text()} of a kind. */
    public static DriverKind of(final String name)
    {
        return Stream.of(values()).filter((kind) -> kind.text().equals(name)).findFirst()
            .orElseThrow(() -> new IllegalArgumentException(name));
    }

    public String text()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
