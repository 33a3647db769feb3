package io.clusterecho.client.run;

import java.util.List;

import io.clusterecho.client.transport.aeron.ClientDriver;
import io.clusterecho.media.driver.DriverKeys;
import io.clusterecho.media.driver.DriverKind;
import io.clusterecho.media.driver.DriverPlan;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.settings.Setting;
import io.clusterecho.settings.Settings;

/**
 * The media driver of a client. Members have their own settings.
 *
 * @param texts  of the settings of a driver, in the order of {@link DriverKeys#all()}.
 * @param folder of an external driver that is running, or empty.
 */
public record DriverConfig(List<String> texts, String folder)
{
    public static final String KIND = "--driver";
    public static final String COMMAND = "--driver-command";
    public static final String FOLDER = "--driver-dir";
    public static final String RECEIVE_VECTOR = "--driver-receive-vector";
    public static final String SEND_VECTOR = "--driver-send-vector";
    public static final String MESSAGES_PER_SEND = "--driver-messages-per-send";
    /** Options about how the driver works, not where. */
    public static final List<String> TUNING = List.of(KIND, RECEIVE_VECTOR, SEND_VECTOR, MESSAGES_PER_SEND);

    private static final DriverKeys KEYS =
        DriverKeys.named(KIND, COMMAND, RECEIVE_VECTOR, SEND_VECTOR, MESSAGES_PER_SEND, FOLDER);
    private static final List<Setting<?>> OPTIONS = KEYS.all();

    public DriverConfig
    {
        texts = List.copyOf(texts);
        driver(texts, folder);
    }

    /** A driver of a kind, with defaults. */
    public static DriverConfig of(final String kind)
    {
        return new DriverConfig(
            OPTIONS.stream().map((option) -> KIND.equals(option.key()) ? kind : option.defaultText()).toList(), "");
    }

    private static ClientDriver driver(final List<String> texts, final String folder)
    {
        final Settings settings = new Settings("--", OPTIONS);
        for (int i = 0; i < OPTIONS.size(); i++)
        {
            settings.put(OPTIONS.get(i).key(), texts.get(i), OPTIONS.get(i).key());
        }
        return new ClientDriver(DriverPlan.of(settings, KEYS), folder.trim(), FOLDER);
    }

    /** One of java, embedded, c and external. */
    public String kind()
    {
        return text(KIND);
    }

    /** Whether it is the C driver in the client's process, which the client's thread runs. */
    public boolean isEmbedded()
    {
        return DriverKind.EMBEDDED.text().equals(kind());
    }

    /** Value of an option, except of {@link #FOLDER}. */
    public String text(final String option)
    {
        return texts.get(OPTIONS.stream().map(Setting::key).toList().indexOf(option));
    }

    /** The same with another driver; the Java driver has the defaults of what only the C driver has. */
    DriverConfig with(
        final String newKind, final String newReceiveVector, final String newSendVector, final String newPerSend)
    {
        return DriverKind.JAVA.text().equals(newKind) ?
            new DriverConfig(List.of(
                newKind, text(COMMAND), KEYS.receiveVector().defaultText(), KEYS.sendVector().defaultText(),
                KEYS.messagesPerSend().defaultText()), folder) :
            new DriverConfig(List.of(newKind, text(COMMAND), newReceiveVector, newSendVector, newPerSend), folder);
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
            for (int i = 0; i < OPTIONS.size(); i++)
            {
                settings.put(NodeSettings.DRIVER.all().get(i).key(), texts.get(i), OPTIONS.get(i).key());
            }
        }
    }

    /** How to start the driver, or where it runs. */
    public ClientDriver driver()
    {
        return driver(texts, folder);
    }
}
