package io.clusterecho.peers.session;

import io.clusterecho.settings.Setting;

/** Setting of the maximum messages in flight. */
public final class InFlight
{
    /** Maximum messages in flight in one session. */
    public static final Setting<Integer> SETTING = Setting.ofInt(
        "peer.in.flight", "65536", 1, 1 << 20,
        "Maximum messages in flight in one session, also limited by its queue of replies.");

    /** The same for libraries without back pressure on calls. */
    public static final Setting<Integer> OF_CALLS = Setting.ofInt(
        SETTING.key(), "256", 1, 1 << 20,
        "Maximum calls in flight in one session, also limited by its queue of replies.");

    private InFlight()
    {
    }
}
