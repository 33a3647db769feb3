package io.clusterecho.node.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;

import io.aeron.ChannelUri;
import io.aeron.archive.Archive;
import io.aeron.cluster.ClusterBackup;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.codecs.BackupQueryEncoder;
import io.aeron.cluster.codecs.MessageHeaderEncoder;
import io.aeron.cluster.service.ClusteredServiceContainer;
import io.aeron.driver.Configuration;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;

import org.agrona.SystemUtil;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.clusterecho.host.HostFiles;
import io.clusterecho.media.link.LinkFile;
import io.clusterecho.media.link.SocketWatch;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Settings;

class MemberContextsTest
{
    private MemberFolder folder;
    private MemberContexts contexts;

    @TempDir
    private Path baseDir;

    @BeforeEach
    void makeContexts()
    {
        final NodeConfig config = new NodeConfig(settings());
        folder = MemberFolder.open(config, () -> { });
        contexts = contexts(config);
    }

    private Settings settings()
    {
        return new Settings(NodeSettings.PREFIX, NodeSettings.ALL)
            .put(NodeSettings.BASE_DIR.key(), baseDir.toString(), "test")
            .put(NodeSettings.FSYNC.key(), "2", "test")
            .put(NodeSettings.MTU.key(), "65504", "test");
    }

    private MemberContexts contexts(final NodeConfig config)
    {
        final MemberFaults faults =
            new MemberFaults(new PrintStream(OutputStream.nullOutputStream()), Clock.systemUTC(), () -> 0, 1);
        return new MemberContexts(config, folder, faults,
            new MemberThreads(config, HostFiles.ofThisMachine(), (line) -> { }), null);
    }

    @AfterEach
    void closeFolder()
    {
        folder.close();
        System.clearProperty("aeron.archive.file.sync.level");
        System.clearProperty("aeron.dir");
        System.clearProperty("aeron.threading.mode");
    }

    @Test
    void shouldLeaveToAeronWhatAStockMemberDoesNotNeed()
    {
        final Settings stock = new Settings(NodeSettings.PREFIX, NodeSettings.ALL)
            .put(NodeSettings.BASE_DIR.key(), baseDir.toString(), "test").put(NodeSettings.PROFILE.key(), "stock", "test");
        final NodeConfig config = new NodeConfig(stock);
        final MemberContexts ofStock = contexts(config);

        final MediaDriver.Context driver = ofStock.driver(SocketWatch.NONE);
        final MediaDriver.Context aerons = new MediaDriver.Context();
        assertThat(driver.threadingMode()).isEqualTo(ThreadingMode.DEDICATED);
        assertThat(driver.receiverIdleStrategy()).hasToString(
            Configuration.agentIdleStrategy(Configuration.RECEIVER_IDLE_STRATEGY_DEFAULT, null).toString());
        assertThat(driver.mtuLength()).isEqualTo(aerons.mtuLength());
        assertThat(driver.ipcMtuLength()).isEqualTo(aerons.ipcMtuLength());
        assertThat(driver.socketRcvbufLength()).isEqualTo(aerons.socketRcvbufLength());
        assertThat(driver.socketSndbufLength()).isEqualTo(aerons.socketSndbufLength());
        assertThat(driver.initialWindowLength()).isEqualTo(aerons.initialWindowLength());
        assertThat(driver.publicationTermBufferLength()).isEqualTo(aerons.publicationTermBufferLength());
        assertThat(driver.ipcTermBufferLength()).isEqualTo(aerons.ipcTermBufferLength());

        final Archive.Context archive = ofStock.archive();
        assertThat(archive.threadingMode()).isEqualTo(new Archive.Context().threadingMode());
        assertThat(archive.recordChecksum()).isNull();
        assertThat(archive.replayChecksum()).isNull();
        assertThat(archive.segmentFileLength()).isEqualTo(new Archive.Context().segmentFileLength());
        final String logChannel = ofStock.consensusModule().logChannel();
        assertThat(ChannelUri.parse(logChannel).get("term-length"))
            .isEqualTo(String.valueOf(SystemUtil.parseSize("", ChannelUri.parse(
                ConsensusModule.Configuration.logChannel()).get("term-length"))));
        assertThat(contexts.archive().recordChecksum()).as("a tuned member").isNotNull();
    }

    @Test
    void shouldKeepGivenSettingsOfAStockMember()
    {
        final NodeConfig config = new NodeConfig(settings().put(NodeSettings.PROFILE.key(), "stock", "test"));
        assertThat(config.mtuLength()).isEqualTo(65504);
        assertThat(config.value(NodeSettings.LOG_TERM_LENGTH)).isEqualTo(64 << 20);
    }

    @Test
    void shouldGiveEachServiceAContainerOfItsOwn()
    {
        assertThat(contexts.consensusModule().serviceCount()).isEqualTo(1);
        final NodeConfig config =
            new NodeConfig(settings().put(NodeSettings.SERVICE_CLASS.key(), "user.First,user.Second", "test"));
        final MemberContexts ofTwo = contexts(config);
        assertThat(ofTwo.consensusModule().serviceCount()).isEqualTo(2);
        final ClusteredServiceContainer.Context first = ofTwo.container(0, null);
        final ClusteredServiceContainer.Context second = ofTwo.container(1, null);
        assertThat(second.serviceId()).isEqualTo(1 + first.serviceId());
        assertThat(second.archiveContext().controlResponseStreamId())
            .isNotEqualTo(first.archiveContext().controlResponseStreamId());
        assertThat(new RoomNeeded(config).sharedMemoryLength())
            .isGreaterThan(new RoomNeeded(new NodeConfig(settings())).sharedMemoryLength());
    }

    @Test
    void shouldSyncLogCatalogAndConsensusModuleAlike()
    {
        assertThat(contexts.archive().fileSyncLevel()).isEqualTo(2);
        assertThat(contexts.archive().catalogFileSyncLevel()).isEqualTo(2);
        assertThat(contexts.consensusModule().fileSyncLevel()).isEqualTo(2);
    }

    @Test
    void shouldLetAnAeronKeyOverrideADerivedValue()
    {
        System.setProperty("aeron.archive.file.sync.level", "1");

        assertThat(contexts.archive().fileSyncLevel()).isEqualTo(1);
        assertThat(contexts.archive().catalogFileSyncLevel()).isEqualTo(2);
    }

    @Test
    void shouldTakeKeysOfAeronFromFilesUnlessTheyAreSet()
    {
        System.setProperty("aeron.archive.file.sync.level", "1");
        AeronKey.passOn(Map.of("aeron.archive.file.sync.level", "2"));

        assertThat(System.getProperty("aeron.archive.file.sync.level")).isEqualTo("1");
    }

    @Test
    void shouldRefuseAKeyOfAeronThatMovesAMemberOutOfItsLockedFolder()
    {
        assertThatThrownBy(() -> AeronKey.passOn(Map.of("aeron.dir", "/dev/shm/other")))
            .isInstanceOf(InvalidSettingException.class)
            .hasMessage("aeron.dir=/dev/shm/other is not allowed: set echo.aeron.dir instead");
    }

    @Test
    void shouldLetABackupAskForTheLogOnlyIfThereIsOne()
    {
        final byte[] nobody = new byte[0];

        assertThat(isBackupAllowed(contexts, nobody)).isFalse();
        assertThat(isBackupAllowed(
            contexts(new NodeConfig(settings().put(NodeSettings.BACKUP.key(), "true", "test"))), nobody)).isTrue();
    }

    private static boolean isBackupAllowed(final MemberContexts contexts, final byte[] principal)
    {
        return contexts.consensusModule().authorisationServiceSupplier().get().isAuthorised(
            MessageHeaderEncoder.SCHEMA_ID, BackupQueryEncoder.TEMPLATE_ID, null, principal);
    }

    @Test
    void shouldAskAllMembersForABackup()
    {
        final ClusterBackup.Context backup = contexts(NodeConfig.ofBackup(settings()
            .put(NodeSettings.BACKUP.key(), "true", "test").put(NodeSettings.BACKUP_SOURCE.key(), "follower", "test"))).backup();

        assertThat(backup.clusterConsensusEndpoints()).isEqualTo("127.0.0.1:20001,127.0.0.1:20011,127.0.0.1:20021");
        assertThat(backup.catchupEndpoint()).isEqualTo("127.0.0.1:20033");
        assertThat(backup.sourceType()).isEqualTo(ClusterBackup.SourceType.FOLLOWER);
        assertThat(backup.clusterBackupIntervalNs()).isEqualTo(10_000_000_000L);
    }

    @Test
    void shouldSetTheTermsOfEachEgressWhateverItsClientAsksFor()
    {
        final ChannelUri egress = ChannelUri.parse(contexts.consensusModule().egressChannel());

        assertThat(egress.get("term-length")).isEqualTo("1048576");
        assertThat(egress.get("sparse")).isEqualTo("true");
        assertThat(egress.get("mtu")).isEqualTo("65504");
    }

    @Test
    void shouldGiveChannelsWithShortTermsAShortMtu()
    {
        final ChannelUri consensus = ChannelUri.parse(contexts.consensusModule().consensusChannel());

        assertThat(consensus.get("mtu")).isEqualTo("8192");
        assertThat(contexts.archive().controlMtuLength()).isEqualTo(8192);
        assertThat(contexts.driver(SocketWatch.NONE).mtuLength()).isEqualTo(65504);
    }

    @Test
    void shouldHaveNoFilterUnlessOneIsAskedFor()
    {
        final MediaDriver.Context ctx = contexts.driver(SocketWatch.NONE);

        assertThat(ctx.sendChannelEndpointSupplier()).isNull();
        assertThat(ctx.receiveChannelEndpointSupplier()).isNull();
        assertThat(folder.dir().resolve(LinkFile.NAME)).doesNotExist();
    }

    @Test
    void shouldChecksumWhatIsRecordedAndReplayed()
    {
        assertThat(contexts.archive().recordChecksum()).isNotNull();
        assertThat(contexts.archive().replayChecksum()).isNotNull();
    }

    @Test
    void shouldRefuseThreadingModesThatLeaveAComponentWithoutAThread()
    {
        System.setProperty("aeron.threading.mode", "INVOKER");
        Profile.COMPACT.checkThreadingModes(true);
        assertThatThrownBy(() -> Profile.SHARED.checkThreadingModes(true))
            .isInstanceOf(InvalidSettingException.class)
            .hasMessage("aeron.threading.mode=INVOKER is not allowed: INVOKER with echo.profile=compact, and only then; " +
            "the profile is shared");

        System.setProperty("aeron.threading.mode", "DEDICATED");
        Profile.SHARED.checkThreadingModes(true);
        assertThatThrownBy(() -> Profile.COMPACT.checkThreadingModes(true)).isInstanceOf(InvalidSettingException.class);
    }
}
