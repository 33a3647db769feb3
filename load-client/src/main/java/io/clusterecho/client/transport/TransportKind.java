package io.clusterecho.client.transport;

import java.util.List;
import java.util.Map;

import io.clusterecho.settings.Setting;

/**
 * A kind of transport that {@code --transport} can name. Kinds on the class path are found by {@link java.util.ServiceLoader},
 * so that this client does not depend on them. Without state; any thread may call.
 */
public interface TransportKind
{
    /**
     * What {@code --transport} calls it.
     *
     * @return lower case letters, digits and dashes.
     */
    String name();

    /**
     * Keys that {@code --transport-set} takes for it.
     *
     * @return the settings, each key beginning with {@code peer.}; may be empty.
     */
    List<Setting<?>> settings();

    /**
     * Longest message that it carries.
     *
     * @return in bytes.
     */
    long maxLengthBytes();

    /**
     * Where an answered message is kept, and what it survives.
     *
     * @return in words, kept with the result.
     */
    String durability();

    /**
     * What a reader of a result should know: version of the library, what it guarantees, how it is tuned.
     *
     * @return name to value.
     */
    Map<String, String> facts();

    /**
     * Prepare sessions.
     *
     * @param request what is wanted.
     * @return which opens them.
     * @throws io.clusterecho.settings.InvalidSettingException for an address or a setting that is not allowed.
     */
    TransportConnector newConnector(TransportRequest request);
}
