package io.clusterecho.client.command;

import java.util.Map;

import io.clusterecho.client.sweep.Dimension;
import io.clusterecho.client.transport.aeron.ClientDriver;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.driver.DriverKeys;
import io.clusterecho.node.driver.DriverKind;
import io.clusterecho.node.driver.DriverPlan;
import io.clusterecho.settings.Settings;

import picocli.CommandLine.Option;

/**
 * Options of the media driver that this client works with. That of the members is said by their own settings.
 */
final class DriverOptions
{
    private static final String PREFIX = "--";
    private static final String KIND = "--driver";
    private static final String COMMAND = "--driver-command";
    private static final String FOLDER = "--driver-dir";
    private static final String RECEIVE_VECTOR = "--driver-receive-vector";
    private static final String SEND_VECTOR = "--driver-send-vector";
    private static final String MESSAGES_PER_SEND = "--driver-messages-per-send";
    private static final DriverKeys KEYS =
        DriverKeys.named(KIND, COMMAND, RECEIVE_VECTOR, SEND_VECTOR, MESSAGES_PER_SEND, FOLDER);

    /** What the options are called in a sweep. */
    static final Map<String, Dimension> DIMENSIONS = Map.of(
        KIND, Dimension.DRIVER, RECEIVE_VECTOR, Dimension.RECEIVE_VECTOR, SEND_VECTOR, Dimension.SEND_VECTOR,
        MESSAGES_PER_SEND, Dimension.MESSAGES_PER_SEND);

    @Option(names = KIND, paramLabel = "KIND", defaultValue = "java",
        description = "Media driver of this client, and of members that it starts: java (within the process), c (aeronmd, a " +
        "process of its own), external (one of the user's). Default: ${DEFAULT-VALUE}.")
    String kind;

    @Option(names = COMMAND, paramLabel = "LINE", defaultValue = "",
        description = "Starts the driver of this client, with AERON_* variables in its environment. Default: aeronmd as " +
        "scripts/build-c-driver.sh built it for c, nothing for external.")
    String command;

    @Option(names = FOLDER, paramLabel = "DIR", defaultValue = "",
        description = "Folder in which an external driver works already.")
    String folder;

    @Option(names = RECEIVE_VECTOR, paramLabel = "N", defaultValue = "4",
        description = "Datagrams that the C driver takes from a socket with one system call. Default: ${DEFAULT-VALUE}.")
    String receiveVector;

    @Option(names = SEND_VECTOR, paramLabel = "N", defaultValue = "4",
        description = "Datagrams that the C driver gives to a socket with one system call. Default: ${DEFAULT-VALUE}.")
    String sendVector;

    @Option(names = MESSAGES_PER_SEND, paramLabel = "N", defaultValue = "4",
        description = "Datagrams of one stream that the C driver sends in one turn. Default: ${DEFAULT-VALUE}.")
    String messagesPerSend;

    /**
     * What was given, for one of {@link #DIMENSIONS}.
     */
    String text(final String option)
    {
        return switch (option)
        {
            case KIND -> kind;
            case RECEIVE_VECTOR -> receiveVector;
            case SEND_VECTOR -> sendVector;
            default -> messagesPerSend;
        };
    }

    /**
     * What {@link #set} sets anew.
     */
    record Saved(String kind, String receiveVector, String sendVector, String messagesPerSend)
    {
    }

    Saved save()
    {
        return new Saved(kind, receiveVector, sendVector, messagesPerSend);
    }

    void restore(final Saved saved)
    {
        kind = saved.kind();
        receiveVector = saved.receiveVector();
        sendVector = saved.sendVector();
        messagesPerSend = saved.messagesPerSend();
    }

    /**
     * Take other values than those that were given.
     */
    void set(final String newKind, final String newReceiveVector, final String newSendVector, final String newPerSend)
    {
        final boolean isJava = DriverKind.JAVA.text().equals(newKind);
        kind = newKind;
        receiveVector = isJava ? KEYS.receiveVector().defaultText() : newReceiveVector;
        sendVector = isJava ? KEYS.sendVector().defaultText() : newSendVector;
        messagesPerSend = isJava ? KEYS.messagesPerSend().defaultText() : newPerSend;
    }

    /**
     * Let members that are started here work with the same kind of driver, unless it is one that somebody else started: that
     * is this client's alone.
     */
    void tellMembers(final Settings settings)
    {
        final DriverPlan plan = driver().plan();
        if (!plan.isEmbedded() && !plan.isFound())
        {
            settings.put(NodeSettings.DRIVER.kind().key(), kind, KIND);
            settings.put(NodeSettings.DRIVER.command().key(), command, COMMAND);
            settings.put(NodeSettings.DRIVER.receiveVector().key(), receiveVector, RECEIVE_VECTOR);
            settings.put(NodeSettings.DRIVER.sendVector().key(), sendVector, SEND_VECTOR);
            settings.put(NodeSettings.DRIVER.messagesPerSend().key(), messagesPerSend, MESSAGES_PER_SEND);
        }
    }

    /**
     * What the options come to.
     *
     * @throws io.clusterecho.settings.InvalidSettingException that names option, value and what is allowed.
     */
    ClientDriver driver()
    {
        final Settings settings = new Settings(PREFIX, KEYS.all())
            .put(KIND, kind, KIND)
            .put(COMMAND, command, COMMAND)
            .put(RECEIVE_VECTOR, receiveVector, RECEIVE_VECTOR)
            .put(SEND_VECTOR, sendVector, SEND_VECTOR)
            .put(MESSAGES_PER_SEND, messagesPerSend, MESSAGES_PER_SEND);
        return new ClientDriver(DriverPlan.of(settings, KEYS), folder.trim(), FOLDER);
    }
}
