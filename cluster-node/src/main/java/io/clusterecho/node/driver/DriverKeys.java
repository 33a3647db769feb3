package io.clusterecho.node.driver;

import java.util.List;

import io.clusterecho.settings.Setting;

/**
 * The settings that say which driver a process works with, below a prefix of the process's own.
 *
 * @param kind            of the driver.
 * @param command         that starts it.
 * @param receiveVector   datagrams that the C driver takes from a socket at once.
 * @param sendVector      datagrams that the C driver gives to a socket at once.
 * @param messagesPerSend datagrams of a stream that the C driver sends in one turn.
 */
public record DriverKeys(
    Setting<DriverKind> kind,
    Setting<String> command,
    Setting<Integer> receiveVector,
    Setting<Integer> sendVector,
    Setting<Integer> messagesPerSend)
{
    private static final int MOST_DATAGRAMS = 16;
    private static final String DATAGRAMS_OF_C = "4";

    /**
     * The settings below a prefix.
     *
     * @param prefix    such as {@code echo.}.
     * @param folderKey of the setting that names the folder in which an external driver works.
     * @return the settings.
     */
    public static DriverKeys below(final String prefix, final String folderKey)
    {
        final String key = prefix + "driver";
        return new DriverKeys(
            new Setting<>(
                key, DriverKind.JAVA.text(), "java, c or external",
                "Media driver: java (within the process), c (aeronmd, a process of its own that is started, watched and " +
                "stopped; see docs/DRIVERS.md), external (one of the same version of Aeron that " + key + ".command starts, " +
                "or that works in " + folderKey + " already).",
                DriverKind::of),
            Setting.ofText(
                key + ".command", "", "a command line, split at blanks, without quotes",
                "What starts the driver, with AERON_* variables in its environment. Default for c: .c-driver/aeronmd beside " +
                "the jar, else aeronmd of the PATH; for external: nothing is started."),
            datagrams(key + ".c.receive.vector", "Datagrams that the C driver takes from a socket with one system call."),
            datagrams(key + ".c.send.vector", "Datagrams that the C driver gives to a socket with one system call."),
            datagrams(key + ".c.messages.per.send", "Datagrams of one stream that the C driver sends in one turn."));
    }

    private static Setting<Integer> datagrams(final String key, final String doc)
    {
        return Setting.ofInt(key, DATAGRAMS_OF_C, 1, MOST_DATAGRAMS, doc + " The Java driver has nothing like it.");
    }

    /**
     * All of them.
     *
     * @return in the order of the documentation.
     */
    public List<Setting<?>> all()
    {
        return List.of(kind, command, receiveVector, sendVector, messagesPerSend);
    }
}
