package io.clusterecho.peers.aeron;

import java.util.ArrayList;
import java.util.List;

import io.aeron.driver.ThreadingMode;

import io.clusterecho.client.load.Cores;
import io.clusterecho.client.transport.aeron.AeronConnection;
import io.clusterecho.client.transport.aeron.ClientDriver;
import io.clusterecho.media.driver.DriverKeys;
import io.clusterecho.media.driver.DriverPlan;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Setting;
import io.clusterecho.settings.Settings;

import org.agrona.BitUtil;
import org.agrona.ErrorHandler;

/**
 * How the channels of a client or a server are made.
 *
 * @param mtuLength  in bytes.
 * @param termLength in bytes.
 * @param driver     that this side works with.
 * @param replyHost  at which a client receives over UDP.
 */
record AeronSettings(int mtuLength, int termLength, ClientDriver driver, String replyHost)
{
    private static final Setting<Long> MTU =
        Setting.ofSize("peer.mtu", "1408", "MTU of this side's channels in bytes, a multiple of 32.");
    private static final Setting<Long> TERM_LENGTH =
        Setting.ofSize("peer.term.length", "16m", "Length of a term of this side's publications, a power of two.");
    private static final Setting<String> AERON_DIR = Setting.ofText(
        "peer.aeron.dir", "", "a folder, or nothing",
        "Folder in which the media driver works already, for peer.driver=external without a command.");
    private static final DriverKeys DRIVER = DriverKeys.below("peer.", AERON_DIR.key());
    private static final Setting<String> REPLY_HOST = Setting.ofText(
        "peer.reply.host", "127.0.0.1", "a name or an address of this host", "Where a client receives over UDP.");

    static List<Setting<?>> all()
    {
        final List<Setting<?>> all = new ArrayList<>(List.of(MTU, TERM_LENGTH, AERON_DIR, REPLY_HOST));
        all.addAll(DRIVER.all());
        return all;
    }

    static AeronSettings of(final Settings settings)
    {
        final long mtu = settings.value(MTU);
        if (mtu < 256 || mtu > 65504 || mtu % 32 != 0)
        {
            throw new InvalidSettingException(MTU.key(), mtu, "a multiple of 32 from 256 to 65504");
        }
        final long term = settings.value(TERM_LENGTH);
        if (term < 64 * 1024 || term > 1 << 30 || !BitUtil.isPowerOfTwo(term))
        {
            throw new InvalidSettingException(TERM_LENGTH.key(), term, "a power of two from 64k to 1g");
        }

        return new AeronSettings(
            (int)mtu, (int)term,
            new ClientDriver(DriverPlan.of(settings, DRIVER), settings.text(AERON_DIR).trim(), AERON_DIR.key()),
            settings.text(REPLY_HOST).trim());
    }

    /**
     * Longest message that fits.
     */
    int maxMessageLength()
    {
        return Math.min(16 << 20, termLength / 8) - Codec.MAX_OVERHEAD;
    }

    /**
     * Whether both sides may work with a driver that somebody else started.
     */
    boolean isDriverFound()
    {
        return driver.plan().isFound();
    }

    /**
     * What a publication's channel says beside where it goes.
     */
    String publicationParameters()
    {
        return "term-length=" + termLength + "|mtu=" + mtuLength;
    }

    /**
     * A driver of its own, or the one that was named.
     */
    AeronConnection connect(final ThreadingMode threadingMode, final ErrorHandler errorHandler)
    {
        return AeronConnection.open(driver, threadingMode, mtuLength, termLength, null, errorHandler);
    }

    /**
     * Threads of a server's driver: what the load client takes by itself too.
     */
    static ThreadingMode serverThreadingMode()
    {
        return Cores.areFew() ? ThreadingMode.INVOKER : ThreadingMode.SHARED;
    }
}
