package io.clusterecho.client.run;

import java.util.List;

import io.clusterecho.client.transport.aeron.ClientDriver;
import io.clusterecho.media.driver.DriverKeys;
import io.clusterecho.media.driver.DriverKind;
import io.clusterecho.media.driver.DriverPlan;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.settings.Settings;

/**
 * The media driver of a client. Members have their own settings.
 *
 * @param kind            java, embedded, c or external.
 * @param command         that starts it, or empty.
 * @param folder          of an external driver that is running, or empty.
 * @param receiveVector   datagrams that the C driver receives with one system call.
 * @param sendVector      datagrams that the C driver sends with one system call.
 * @param messagesPerSend datagrams of one stream that the C driver sends per duty cycle.
 */
public record DriverConfig(
    String kind, String command, String folder, String receiveVector, String sendVector, String messagesPerSend)
{
    private static final String PREFIX = "--";
    /** Option with the kind. */
    public static final String KIND = "--driver";
    /** Option with the command line. */
    public static final String COMMAND = "--driver-command";
    /** Option with the folder of an external driver. */
    public static final String FOLDER = "--driver-dir";
    /** Option with the datagrams received at once. */
    public static final String RECEIVE_VECTOR = "--driver-receive-vector";
    /** Option with the datagrams sent at once. */
    public static final String SEND_VECTOR = "--driver-send-vector";
    /** Option with the datagrams sent per duty cycle. */
    public static final String MESSAGES_PER_SEND = "--driver-messages-per-send";
    private static final DriverKeys KEYS =
        DriverKeys.named(KIND, COMMAND, RECEIVE_VECTOR, SEND_VECTOR, MESSAGES_PER_SEND, FOLDER);

    /** Options about how the driver works, not where. */
    public static final List<String> TUNING = List.of(KIND, RECEIVE_VECTOR, SEND_VECTOR, MESSAGES_PER_SEND);

    public DriverConfig
    {
        driver(kind, command, folder, receiveVector, sendVector, messagesPerSend);
    }

    private static ClientDriver driver(
        final String kind,
        final String command,
        final String folder,
        final String receiveVector,
        final String sendVector,
        final String messagesPerSend)
    {
        final Settings settings = new Settings(PREFIX, KEYS.all())
            .put(KIND, kind, KIND)
            .put(COMMAND, command, COMMAND)
            .put(RECEIVE_VECTOR, receiveVector, RECEIVE_VECTOR)
            .put(SEND_VECTOR, sendVector, SEND_VECTOR)
            .put(MESSAGES_PER_SEND, messagesPerSend, MESSAGES_PER_SEND);
        return new ClientDriver(DriverPlan.of(settings, KEYS), folder.trim(), FOLDER);
    }

    /** Whether it is the C driver in the client's process, which the client's thread runs. */
    public boolean isEmbedded()
    {
        return DriverKind.EMBEDDED.text().equals(kind);
    }

    /** Value of one of {@link #TUNING}. */
    public String text(final String option)
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
     * The same with another driver.
     *
     * @param newReceiveVector datagrams received at once; the default for a driver within the process.
     * @param newSendVector    datagrams sent at once; the default for a driver within the process.
     * @param newPerSend       datagrams sent per duty cycle; the default for a driver within the process.
     */
    DriverConfig with(
        final String newKind, final String newReceiveVector, final String newSendVector, final String newPerSend)
    {
        final boolean isJava = DriverKind.JAVA.text().equals(newKind);
        return new DriverConfig(
            newKind, command, folder,
            isJava ? KEYS.receiveVector().defaultText() : newReceiveVector,
            isJava ? KEYS.sendVector().defaultText() : newSendVector,
            isJava ? KEYS.messagesPerSend().defaultText() : newPerSend);
    }

    /**
     * Configure members that are started here for the same kind of driver, except an external driver, which only this client
     * uses.
     */
    public void addTo(final Settings settings)
    {
        final DriverPlan plan = driver().plan();
        if (!plan.isJava() && !plan.isFound())
        {
            settings.put(NodeSettings.DRIVER.kind().key(), kind, KIND);
            settings.put(NodeSettings.DRIVER.command().key(), command, COMMAND);
            settings.put(NodeSettings.DRIVER.receiveVector().key(), receiveVector, RECEIVE_VECTOR);
            settings.put(NodeSettings.DRIVER.sendVector().key(), sendVector, SEND_VECTOR);
            settings.put(NodeSettings.DRIVER.messagesPerSend().key(), messagesPerSend, MESSAGES_PER_SEND);
        }
    }

    /** How to start the driver, or where it runs. */
    public ClientDriver driver()
    {
        return driver(kind, command, folder, receiveVector, sendVector, messagesPerSend);
    }
}
