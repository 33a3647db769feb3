package io.clusterecho.node.member;

import io.aeron.archive.client.AeronArchive;

import io.clusterecho.node.config.Credentials;
import io.clusterecho.node.config.NodeConfig;

/** How processes on a member's machine connect to its archive: through shared memory, and with its credentials. */
public final class ArchiveAccess
{
    private static final int LOCAL_CONTROL_STREAM_ID = AeronArchive.Configuration.localControlStreamId();
    /** The consensus module and the service have the two before. */
    private static final int COMMAND_RESPONSE_STREAM_ID = 1102;

    /** Context of a client for a command, which is not part of the member. */
    public static AeronArchive.Context ofCommand(final NodeConfig config)
    {
        return of(config, COMMAND_RESPONSE_STREAM_ID).aeronDirectoryName(config.aeronDir().toString());
    }

    static AeronArchive.Context of(final NodeConfig config, final int responseStreamId)
    {
        return new AeronArchive.Context()
            .controlRequestChannel(localControlChannel(config))
            .controlResponseChannel(localControlChannel(config))
            .controlRequestStreamId(LOCAL_CONTROL_STREAM_ID)
            .controlResponseStreamId(responseStreamId)
            .controlMtuLength(config.controlMtuLength())
            .controlTermBufferLength(RoomNeeded.CONTROL_TERM_LENGTH)
            .controlTermBufferSparse(areControlTermsSparse(config))
            .credentialsSupplier(Credentials.supplier(config.credentials()));
    }

    /** A page that cannot be allocated later would end the process of an embedded driver. */
    static boolean areControlTermsSparse(final NodeConfig config)
    {
        return !config.driver().isEmbedded();
    }

    static String localControlChannel(final NodeConfig config)
    {
        return System.getProperty(
            "aeron.archive.local.control.channel",
            "aeron:ipc?term-length=" + RoomNeeded.CONTROL_TERM_LENGTH + "|mtu=" + config.controlMtuLength());
    }
}
