package io.clusterecho.peers.session;

import io.clusterecho.settings.Setting;

/**
 * The setting that bounds what is under way.
 */
public final class InFlight
{
    /**
     * Most messages that may be under way in one session.
     */
    public static final Setting<Integer> SETTING = Setting.ofInt(
        "peer.in.flight", "65536", 1, 1 << 20,
        "Messages of a session that may be under way at once; no more than its queue of replies has room for.");

    /**
     * The same for libraries that have no back pressure of their own on calls.
     */
    public static final Setting<Integer> OF_CALLS = Setting.ofInt(
        SETTING.key(), "256", 1, 1 << 20,
        "Calls of a session that may be under way at once; no more than its queue of replies has room for.");

    private InFlight()
    {
    }
}
