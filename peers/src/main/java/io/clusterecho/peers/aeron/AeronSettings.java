package io.clusterecho.peers.aeron;

import java.util.ArrayList;
import java.util.List;

import io.aeron.driver.ThreadingMode;

import io.clusterecho.client.transport.aeron.AeronConnection;
import io.clusterecho.client.transport.aeron.DriverFolder;
import io.clusterecho.host.Processors;
import io.clusterecho.media.driver.DriverKeys;
import io.clusterecho.media.driver.DriverPlan;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Setting;
import io.clusterecho.settings.Settings;

import org.agrona.BitUtil;
import org.agrona.ErrorHandler;

/** Channel and driver settings of a client or a server: lengths in bytes, and the address at which a client receives over UDP. */
record AeronSettings(int mtuLength, int termLength, DriverPlan driver, String replyHost)
{
    private static final Setting<Long> MTU =
        Setting.ofSize("peer.mtu", "1408", "MTU of this side's channels in bytes, a multiple of 32.");
    /**
     * Shorter than Aeron's default: when a session ends, the driver frees three of its terms on the thread that carries messages,
     * which takes 12 ms for terms of 16 MiB. The next runs of a series then measure the end of earlier ones.
     */
    private static final Setting<Long> TERM_LENGTH = Setting.ofSize(
        "peer.term.length", "1m", "Term length of this side's publications; a message may be at most an eighth of it.");
    private static final Setting<String> AERON_DIR = Setting.ofText(
        "peer.aeron.dir", "", "a folder, or nothing",
        "Folder of the running media driver, for peer.driver=external without a command.");
    private static final DriverKeys DRIVER = DriverKeys.below("peer.", AERON_DIR.key());
    private static final Setting<String> REPLY_HOST = Setting.ofText(
        "peer.reply.host", "127.0.0.1", "a name or an address of this host", "Address at which a client receives over UDP.");

    static List<Setting<?>> all()
    {
        final List<Setting<?>> all = new ArrayList<>(List.of(MTU, TERM_LENGTH, AERON_DIR, REPLY_HOST));
        all.addAll(DRIVER.all());
        return all;
    }

    static AeronSettings of(final Settings settings)
    {
        final long mtu = settings.value(MTU);
        InvalidSettingException.throwIf(
            mtu < 256 || mtu > 65504 || mtu % 32 != 0, MTU.key(), mtu, "a multiple of 32 from 256 to 65504");
        final long term = settings.value(TERM_LENGTH);
        InvalidSettingException.throwIf(
            term < 64 * 1024 || term > 1 << 30 || !BitUtil.isPowerOfTwo(term), TERM_LENGTH.key(), term,
            "a power of two from 64k to 1g");

        return new AeronSettings(
            (int)mtu, (int)term, DriverPlan.of(settings, DRIVER, settings.text(AERON_DIR).trim()),
            settings.text(REPLY_HOST).trim());
    }

    int maxMessageLength()
    {
        return Math.min(16 << 20, termLength / 8) - Codec.MAX_OVERHEAD;
    }

    /** Parameters of a publication's channel, without its address. */
    String publicationParameters()
    {
        return "term-length=" + termLength + "|mtu=" + mtuLength;
    }

    /** Its own driver, or the external one, which both sides may use. */
    AeronConnection connect(final ThreadingMode threadingMode, final ErrorHandler errorHandler)
    {
        return AeronConnection.open(driver, AeronConnection.context(
            DriverFolder.of(driver), driver, threadingMode, mtuLength, termLength, false, errorHandler), null, null);
    }

    /** Threads of a server's driver: the same default as in the load client. */
    static ThreadingMode serverThreadingMode()
    {
        return Processors.areFew() ? ThreadingMode.INVOKER : ThreadingMode.SHARED;
    }
}
