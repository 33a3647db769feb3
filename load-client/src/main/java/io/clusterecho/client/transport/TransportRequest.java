package io.clusterecho.client.transport;

import io.clusterecho.settings.Settings;

import org.agrona.ErrorHandler;

/**
 * What a run wants of a kind of transport.
 *
 * @param endpoints    as {@code --endpoints} gave them, or null for the kind's own default.
 * @param lengthBytes  of the longest message.
 * @param sessionCount that will be opened.
 * @param isOneThread  whether what the transport has to do should be done by the thread that polls, where that is possible.
 * @param settings     given with {@code --transport-set}, of the keys that the kind knows.
 * @param errorHandler told what goes wrong behind the scenes; called on any thread.
 */
public record TransportRequest(
    String endpoints,
    int lengthBytes,
    int sessionCount,
    boolean isOneThread,
    Settings settings,
    ErrorHandler errorHandler)
{
}
