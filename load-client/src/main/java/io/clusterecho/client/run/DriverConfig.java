package io.clusterecho.client.run;

import java.util.List;

import io.clusterecho.client.run.DeclaredOption.LoadOption;
import io.clusterecho.control.command.OptionGroup;
import io.clusterecho.media.driver.DriverKeys;
import io.clusterecho.media.driver.DriverPlan;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.settings.Setting;
import io.clusterecho.settings.Settings;

/** The media driver of a client. Members have their own settings. */
@OptionGroup("Media driver")
public record DriverConfig(
    @LoadOption(names = DriverConfig.KIND, label = "KIND", byDefault = "java",
        text = "Media driver of the client, and of members that it starts: java (in the process), embedded (the C " +
        "driver in the process), c (aeronmd, a separate process) or external (already running, or started by " +
        "--driver-command). Default: ${DEFAULT-VALUE}.")
    String kind,
    @LoadOption(names = DriverConfig.COMMAND, label = "LINE", byDefault = "",
        text = "Command that starts the client's driver, with AERON_* variables in its environment. Default: for c the " +
        "aeronmd that scripts/build-c-driver.sh built, for external none.")
    String command,
    @LoadOption(names = DriverConfig.FOLDER, label = "DIR", byDefault = "",
        text = "Folder of an external driver that already runs.")
    String folder,
    @LoadOption(names = DriverConfig.RECEIVE_VECTOR, label = "N", byDefault = DriverConfig.DATAGRAMS,
        text = "Maximum datagrams that the C driver receives with one system call. Default: ${DEFAULT-VALUE}.")
    String receiveVector,
    @LoadOption(names = DriverConfig.SEND_VECTOR, label = "N", byDefault = DriverConfig.DATAGRAMS,
        text = "Maximum datagrams that the C driver sends with one system call. Default: ${DEFAULT-VALUE}.")
    String sendVector,
    @LoadOption(names = DriverConfig.MESSAGES_PER_SEND, label = "N", byDefault = DriverConfig.DATAGRAMS,
        text = "Maximum datagrams of a stream that the C driver sends in one duty cycle. Default: ${DEFAULT-VALUE}.")
    String messagesPerSend)
{
    public static final String KIND = "--driver";
    public static final String COMMAND = "--driver-command";
    public static final String FOLDER = "--driver-dir";
    public static final String RECEIVE_VECTOR = "--driver-receive-vector";
    public static final String SEND_VECTOR = "--driver-send-vector";
    public static final String MESSAGES_PER_SEND = "--driver-messages-per-send";
    /** The default of the vectors, and all that another than the C driver has. */
    public static final String DATAGRAMS = "4";

    private static final DriverKeys KEYS =
        DriverKeys.named(KIND, COMMAND, RECEIVE_VECTOR, SEND_VECTOR, MESSAGES_PER_SEND, FOLDER);
    private static final List<Setting<?>> OPTIONS = KEYS.all();

    private Settings put(final Settings settings, final List<Setting<?>> keys)
    {
        // In the order of the keys.
        final List<String> texts = List.of(kind, command, receiveVector, sendVector, messagesPerSend);
        for (int i = 0; i < keys.size(); i++)
        {
            settings.put(keys.get(i).key(), texts.get(i), OPTIONS.get(i).key());
        }
        return settings;
    }

    /** Whether it is the C driver in the client's process, which the client's thread runs. */
    public boolean isEmbedded()
    {
        return DriverKeys.EMBEDDED.equals(kind);
    }

    /** Configure members that are started here for the same kind of driver, except one that runs, which only this client uses. */
    public void addTo(final Settings settings)
    {
        if (!driver().isJava() && !driver().isFound())
        {
            put(settings, NodeSettings.DRIVER.all());
        }
    }

    /** The driver as a plan; rejects options that it cannot have. */
    public DriverPlan driver()
    {
        return DriverPlan.of(put(new Settings("--", OPTIONS), OPTIONS), KEYS, folder.trim());
    }
}
