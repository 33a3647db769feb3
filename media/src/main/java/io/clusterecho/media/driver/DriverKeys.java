package io.clusterecho.media.driver;

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
     */
    public static DriverKeys below(final String prefix, final String folderKey)
    {
        final String key = prefix + "driver";
        return named(
            key, key + ".command", key + ".c.receive.vector", key + ".c.send.vector", key + ".c.messages.per.send", folderKey);
    }

    /**
     * The settings under names of the caller's choice.
     *
     * @param kind            name of the setting.
     * @param command         name of the setting.
     * @param receiveVector   name of the setting.
     * @param sendVector      name of the setting.
     * @param messagesPerSend name of the setting.
     * @param folder          name of the setting that names the folder in which an external driver works.
     */
    public static DriverKeys named(
        final String kind,
        final String command,
        final String receiveVector,
        final String sendVector,
        final String messagesPerSend,
        final String folder)
    {
        return new DriverKeys(
            new Setting<>(
                kind, DriverKind.JAVA.text(), "java, c or external",
                "Media driver: java (within the process), c (aeronmd, a process of its own that is started, watched and " +
                "stopped; see docs/DRIVERS.md), external (one of the same version of Aeron that " + command + " starts, " +
                "or that works in " + folder + " already).",
                DriverKind::of),
            Setting.ofText(
                command, "", "a command line, split at blanks, without quotes",
                "What starts the driver, with AERON_* variables in its environment. Default for c: .c-driver/aeronmd beside " +
                "the jar, else aeronmd of the PATH; for external: nothing is started."),
            datagrams(receiveVector, "Datagrams that the C driver takes from a socket with one system call."),
            datagrams(sendVector, "Datagrams that the C driver gives to a socket with one system call."),
            datagrams(messagesPerSend, "Datagrams of one stream that the C driver sends in one turn."));
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
