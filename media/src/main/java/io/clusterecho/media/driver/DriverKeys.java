package io.clusterecho.media.driver;

import java.util.List;

import io.clusterecho.settings.Setting;

/**
 * The settings for the driver of a process, with a prefix that depends on the process.
 *
 * @param folder key of the setting with the folder of an external driver.
 */
public record DriverKeys(
    Setting<String> kind,
    Setting<String> command,
    Setting<Integer> receiveVector,
    Setting<Integer> sendVector,
    Setting<Integer> messagesPerSend,
    String folder)
{
    /** The Java driver, in the process that uses it. */
    static final String JAVA = "java";
    /** Aeron's C driver as a library, run by the thread of the process that uses it. */
    public static final String EMBEDDED = "embedded";
    /** Aeron's C driver, a separate process that is started, watched and stopped by the one that uses it. */
    static final String C = "c";
    /** Any driver of the same version: already running in a folder, or started by a command line. */
    static final String EXTERNAL = "external";

    private static final int MOST_DATAGRAMS = 16;
    private static final String DATAGRAMS_OF_C = "4";

    /** The settings with a prefix such as {@code echo.}, and the key of the folder of an external driver. */
    public static DriverKeys below(final String prefix, final String folderKey)
    {
        final String key = prefix + "driver";
        return named(
            key, key + ".command", key + ".c.receive.vector", key + ".c.send.vector", key + ".c.messages.per.send", folderKey);
    }

    /** The settings with names chosen by the caller, and that of the folder of an external driver. */
    public static DriverKeys named(
        final String kind,
        final String command,
        final String receiveVector,
        final String sendVector,
        final String messagesPerSend,
        final String folder)
    {
        return new DriverKeys(
            Setting.ofWord(
                kind, JAVA,
                "Media driver: java (in the process that uses it), embedded (the C driver in the process that uses it, on its " +
                "one thread), c (aeronmd, started, watched and stopped as a separate process; see docs/DRIVERS.md), external " +
                "(any driver of the same Aeron version, started by " + command + " or already running in " + folder + ").",
                JAVA, EMBEDDED, C, EXTERNAL),
            Setting.ofText(
                command, "", "a command line, split at blanks, without quotes",
                "Command that starts the driver, with AERON_* variables in its environment. Default for c: .c-driver/aeronmd " +
                "beside the jar, else aeronmd from PATH; for external: none is started."),
            datagrams(receiveVector, "Maximum datagrams that the C driver receives with one system call."),
            datagrams(sendVector, "Maximum datagrams that the C driver sends with one system call."),
            datagrams(messagesPerSend, "Maximum datagrams of one stream that the C driver sends in one duty cycle."),
            folder);
    }

    private static Setting<Integer> datagrams(final String key, final String doc)
    {
        return Setting.ofInt(key, DATAGRAMS_OF_C, 1, MOST_DATAGRAMS, doc + " Not for the Java driver.");
    }

    /** All settings, in the order of the documentation. */
    public List<Setting<?>> all()
    {
        return List.of(kind, command, receiveVector, sendVector, messagesPerSend);
    }
}
