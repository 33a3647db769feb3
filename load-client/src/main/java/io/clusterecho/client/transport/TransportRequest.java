package io.clusterecho.client.transport;

import io.clusterecho.settings.Settings;

import org.agrona.ErrorHandler;

/**
 * What a run requires of a transport.
 *
 * @param endpoints    from {@code --endpoints}, or null for the default.
 * @param isOneThread  whether the thread that polls should do the work of the transport, if possible.
 * @param settings     from {@code --transport-set}.
 * @param errorHandler for errors in the background; called on any thread.
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
