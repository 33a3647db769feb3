package io.clusterecho.node.member;

import static io.clusterecho.node.member.AeronKey.unlessSet;

import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.checksum.Checksums;
import io.aeron.archive.client.AeronArchive;
import io.aeron.cluster.ClusterBackup;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.codecs.AdminRequestEncoder;
import io.aeron.cluster.codecs.AdminRequestType;
import io.aeron.cluster.codecs.BackupQueryEncoder;
import io.aeron.cluster.codecs.MessageHeaderEncoder;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.cluster.service.ClusteredServiceContainer;
import io.aeron.driver.MediaDriver;
import io.aeron.security.Authenticator;
import io.aeron.security.AuthorisationService;
import io.aeron.security.SimpleAuthenticator;
import io.aeron.security.SimpleAuthorisationService;

import io.clusterecho.media.driver.Driver;
import io.clusterecho.media.driver.DriverLauncher;
import io.clusterecho.media.link.LinkFile;
import io.clusterecho.media.link.LinkFilter;
import io.clusterecho.media.link.SocketWatch;
import io.clusterecho.media.zone.Placement.Distances;
import io.clusterecho.node.config.Credentials;
import io.clusterecho.node.config.MemberEndpoints;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.stage.StageWatch;
import io.clusterecho.platform.SocketBuffers;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Io;

import org.agrona.concurrent.IdleStrategy;

/** Contexts of Aeron's four components for a configuration. Launches nothing. */
final class MemberContexts
{
    /**
     * The source of the random delay after which a member nominates itself in an election: Aeron multiplies the next double by
     * half of the election timeout ({@code io.aeron.cluster.Election.canvass}, its only use). A preferred member waits for 0 of
     * it, and the others for at least half of it, so that the preferred member is elected unless it is down or its log is shorter
     * than that of another. Without a preference all wait for a random time, as by default.
     * <p>
     * Used by the thread of the consensus module, once in an election.
     */
    static final class NominationDelay extends Random
    {
        private static final long serialVersionUID = 1L;

        private final double least;
        private final double span;

        /** A source for one member; the preferred one leads if it can, -1 for none. */
        NominationDelay(final int memberId, final int preferredId)
        {
            least = preferredId < 0 || memberId == preferredId ? 0 : 0.5;
            span = memberId == preferredId ? 0 : 1 - least;
        }

        /** Share of the longest delay, from 0 to 1. */
        @Override
        public double nextDouble()
        {
            return least + super.nextDouble() * span;
        }
    }

    static final String CLOCK_KEY = "aeron.cluster.clock";
    private static final String ARCHIVE_IDLE_KEY = "aeron.archive.idle.strategy";
    private static final String IDLE_KEY = "aeron.cluster.idle.strategy";
    private static final int CONSENSUS_MODULE_RESPONSE_STREAM_ID = 1100;
    private static final int FIRST_SERVICE_RESPONSE_STREAM_ID = 1110;

    final NodeConfig config;
    final MemberFolder folder;
    final MemberFaults faults;
    private final Profile profile;
    private final Supplier<IdleStrategy> idleStrategies;
    final MemberThreads threads;
    final DriverLauncher driverLauncher;
    private final String controlMtu;
    /** Null without stage times. */
    final StageWatch stages;
    /** Whether a frame is held that is due soon, so that the thread of the driver must not sleep for long. */
    BooleanSupplier isDueSoon = () -> false;

    MemberContexts(
        final NodeConfig config,
        final MemberFolder folder,
        final MemberFaults faults,
        final MemberThreads threads,
        final DriverLauncher driverLauncher)
    {
        this.config = config;
        this.folder = folder;
        this.faults = faults;
        this.threads = threads;
        this.driverLauncher = driverLauncher;
        profile = Profile.of(config.profile());
        idleStrategies = profile::idleStrategy;
        controlMtu = "|mtu=" + config.controlMtuLength();
        final boolean isStaged = config.value(NodeSettings.STAGES);
        InvalidSettingException.throwIf(
            isStaged && null != System.getProperty(CLOCK_KEY), CLOCK_KEY, System.getProperty(CLOCK_KEY),
            "must not be set with " + NodeSettings.STAGES.key() + "=true, which needs another clock");
        stages = isStaged ? new StageWatch(clusterId()) : null;
    }

    int clusterId()
    {
        return ClusteredServiceContainer.Configuration.clusterId();
    }

    /** The thread of the driver waits at the watch if it runs the member; else that is NONE, or null if nothing is launched. */
    MediaDriver.Context driver(final SocketWatch watch)
    {
        final MediaDriver.Context ctx = new MediaDriver.Context()
            .aeronDirectoryName(config.aeronDir().toString())
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true)
            .warnIfDirectoryExists(false)
            .errorHandler(faults.handlerOf(MemberFaults.Component.DRIVER))
            .terminationHook(() -> faults.onTermination(MemberFaults.Component.DRIVER))
            .sharedThreadFactory(threads.factory("driver"))
            .conductorThreadFactory(threads.factory("conductor"))
            .senderThreadFactory(threads.factory("sender"))
            .receiverThreadFactory(threads.factory("receiver"));
        unlessSet("aeron.threading.mode", ctx::threadingMode, profile.threading);
        unlessSet("aeron.conductor.idle.strategy", ctx::conductorIdleStrategy, profile.idleStrategy());
        unlessSet("aeron.sender.idle.strategy", ctx::senderIdleStrategy, profile.idleStrategy());
        unlessSet("aeron.receiver.idle.strategy", ctx::receiverIdleStrategy, profile.idleStrategy());
        unlessSet("aeron.sharednetwork.idle.strategy", ctx::sharedNetworkIdleStrategy, profile.idleStrategy());
        unlessSet("aeron.shared.idle.strategy", ctx::sharedIdleStrategy, profile.idleStrategy());
        unlessSet("aeron.mtu.length", ctx::mtuLength, config.mtuLength());
        unlessSet("aeron.ipc.mtu.length", ctx::ipcMtuLength, config.mtuLength());
        if (!config.isStock())
        {
            tune(ctx);
        }
        // The leader's own archive records the log through a spy, also while there is no follower.
        unlessSet("aeron.spies.simulate.connection", ctx::spiesSimulateConnection, true);
        // One per ingress session, and one more while the old session of a returning client lingers; log, consensus, control.
        unlessSet(
            "aeron.driver.stream.session.limit", ctx::streamSessionLimit,
            2 * config.value(NodeSettings.MAX_SESSIONS) + 2 * config.members().size() + 32);
        if (null != watch)
        {
            putEndpoints(ctx, watch);
        }
        return ctx;
    }

    private void tune(final MediaDriver.Context ctx)
    {
        unlessSet("aeron.socket.so_rcvbuf", ctx::socketRcvbufLength, SocketBuffers.receiveLength());
        unlessSet("aeron.socket.so_sndbuf", ctx::socketSndbufLength, SocketBuffers.sendLength());
        unlessSet("aeron.rcv.initial.window.length", ctx::initialWindowLength, SocketBuffers.windowLength(config.mtuLength()));
        unlessSet("aeron.term.buffer.sparse.file", ctx::termBufferSparseFile, true);
        // Terms of 64 KB, Aeron's minimum, are too short for the largest MTU: default to a log's term for both.
        unlessSet("aeron.term.buffer.length", ctx::publicationTermBufferLength, config.value(NodeSettings.LOG_TERM_LENGTH));
        unlessSet("aeron.ipc.term.buffer.length", ctx::ipcTermBufferLength, config.value(NodeSettings.LOG_TERM_LENGTH));
    }

    /** Launch the driver, and make its folder private if the driver belongs to this member alone. */
    Driver launchDriver(final DriverLauncher launcher, final MediaDriver.Context ctx) throws IOException
    {
        final Driver driver = launcher.launch(ctx, false);
        if (!launcher.plan().isFound())
        {
            MemberFolder.makePrivate(config.aeronDir());
        }
        return driver;
    }

    private void putEndpoints(final MediaDriver.Context ctx, final SocketWatch watch)
    {
        if (config.value(NodeSettings.FAULT_FILTER) || config.placement().isPresent())
        {
            final LinkFilter filter = linkFilter();
            filter.install(ctx, watch);
            isDueSoon = filter::isHolding;
        }
        else
        {
            watch.install(ctx);
        }
    }

    private LinkFilter linkFilter()
    {
        return Io.call("cannot make the file of the link filter", () ->
        {
            final LinkFile file = config.value(NodeSettings.FAULT_FILTER) ? LinkFile.create(folder.dir()) : null;
            final List<String> hosts = config.value(NodeSettings.HOSTS);
            final Distances distances =
                config.placement().map((placement) -> placement.ofMember(config.memberId(), hosts)).orElse(null);
            final List<InetAddress> addresses = LinkFilter.distinctAddresses(hosts);
            return new LinkFilter(file, addresses.isEmpty() ? null : addresses.get(config.memberId()), addresses, distances);
        });
    }

    Archive.Context archive()
    {
        final MemberEndpoints endpoints = config.endpoints();
        final int fileSyncLevel = config.value(NodeSettings.FSYNC);
        final int segmentLength = Math.toIntExact(new RoomNeeded(config).segmentLength());
        final Archive.Context ctx = new Archive.Context()
            .aeronDirectoryName(config.aeronDir().toString())
            .archiveDir(folder.archiveDir().toFile())
            .controlChannel("aeron:udp?endpoint=" + endpoints.archive())
            .localControlChannel(ArchiveAccess.localControlChannel(config))
            .recordingEventsEnabled(false)
            .errorHandler(faults.handlerOf(MemberFaults.Component.ARCHIVE))
            // Replication sends requests to the leader's archive, which authenticates them.
            .archiveClientContext(new AeronArchive.Context().credentialsSupplier(Credentials.supplier(config.credentials())))
            .threadFactory(threads.factory(Profile.ARCHIVE))
            .recorderThreadFactory(threads.factory("recorder"))
            .replayerThreadFactory(threads.factory("replayer"));
        unlessSet("aeron.archive.threading.mode", ctx::threadingMode, ArchiveThreadingMode.valueOf(profile.threading.name()));
        // Without their own keys recorder and replayer have the strategy of the archive.
        unlessSet(ARCHIVE_IDLE_KEY, ctx::idleStrategySupplier, idleStrategies);
        if (null == System.getProperty(ARCHIVE_IDLE_KEY))
        {
            unlessSet("aeron.archive.recorder.idle.strategy", ctx::recorderIdleStrategySupplier, idleStrategies);
            unlessSet("aeron.archive.replayer.idle.strategy", ctx::replayerIdleStrategySupplier, idleStrategies);
        }
        unlessSet("aeron.archive.replication.channel", ctx::replicationChannel, "aeron:udp?endpoint=" + endpoints.host() + ":0");
        unlessSet("aeron.archive.control.term.buffer.length", ctx::controlTermBufferLength, RoomNeeded.CONTROL_TERM_LENGTH);
        unlessSet(
            "aeron.archive.control.term.buffer.sparse", ctx::controlTermBufferSparse,
            ArchiveAccess.areControlTermsSparse(config));
        unlessSet("aeron.archive.control.mtu.length", ctx::controlMtuLength, config.controlMtuLength());
        unlessSet("aeron.archive.segment.file.length", ctx::segmentFileLength, segmentLength);
        unlessSet("aeron.archive.low.storage.space.threshold", ctx::lowStorageSpaceThreshold, segmentLength);
        unlessSet("aeron.archive.catalog.file.sync.level", ctx::catalogFileSyncLevel, fileSyncLevel);
        unlessSet("aeron.archive.file.sync.level", ctx::fileSyncLevel, fileSyncLevel);
        if (!config.isStock())
        {
            // Without checksums a bit flipped on disk makes members differ silently.
            unlessSet("aeron.archive.record.checksum", ctx::recordChecksum, Checksums.crc32c());
            unlessSet("aeron.archive.replay.checksum", ctx::replayChecksum, Checksums.crc32c());
        }
        config.credentials().ifPresent((credentials) -> ctx.authenticatorSupplier(() -> authenticator(credentials)));
        return ctx;
    }

    ConsensusModule.Context consensusModule()
    {
        final ConsensusModule.Context ctx = new ConsensusModule.Context()
            .aeronDirectoryName(config.aeronDir().toString())
            .clusterDir(folder.clusterDir().toFile())
            .clusterMemberId(config.memberId())
            .serviceCount(config.serviceCount())
            .clusterMembers(MemberEndpoints.clusterMembers(config.members()))
            .archiveContext(ArchiveAccess.of(config, CONSENSUS_MODULE_RESPONSE_STREAM_ID))
            .errorHandler(faults.handlerOf(MemberFaults.Component.CONSENSUS_MODULE))
            .terminationHook(() -> faults.onTermination(MemberFaults.Component.CONSENSUS_MODULE))
            .threadFactory(threads.factory(Profile.CONSENSUS_MODULE));
        unlessSet(IDLE_KEY, ctx::idleStrategySupplier, idleStrategies);
        if (null != stages)
        {
            // A shared duty cycle has another idle strategy, and samples the watch after each turn itself.
            final IdleStrategy idleStrategy = null == System.getProperty(IDLE_KEY) ? ctx.idleStrategy() :
                ClusteredServiceContainer.Configuration.idleStrategySupplier(null).get();
            ctx.clusterClock(stages.clusterClock()).idleStrategySupplier(() -> stages.before(idleStrategy));
            // The mapping of a closed client is gone.
            stages.counters(() -> ctx.aeron().isClosed() ? null : ctx.aeron().countersReader());
        }

        final String controlTerms = "aeron:udp?term-length=" + RoomNeeded.CONTROL_TERM_LENGTH + controlMtu;
        final int clientTermLength = config.value(NodeSettings.CLIENT_TERM_LENGTH);
        unlessSet(
            "aeron.cluster.log.channel", ctx::logChannel,
            "aeron:udp?term-length=" + config.value(NodeSettings.LOG_TERM_LENGTH) + "|mtu=" + config.mtuLength());
        unlessSet("aeron.cluster.ingress.channel", ctx::ingressChannel, "aeron:udp?term-length=" + clientTermLength);
        // A client chooses the channel of its replies and could request terms of a gigabyte: these values override it.
        unlessSet(
            "aeron.cluster.egress.channel", ctx::egressChannel,
            "aeron:udp?term-length=" + clientTermLength + "|sparse=" + !config.driver().isEmbedded() +
            "|mtu=" + config.mtuLength());
        unlessSet("aeron.cluster.consensus.channel", ctx::consensusChannel, controlTerms);
        unlessSet("aeron.cluster.leader.archive.control.channel", ctx::leaderArchiveControlChannel, controlTerms);
        unlessSet(
            "aeron.cluster.replication.channel", ctx::replicationChannel,
            "aeron:udp?endpoint=" + config.endpoints().host() + ":0");
        unlessSet("aeron.cluster.control.channel", ctx::controlChannel, serviceControlChannel());
        unlessSet("aeron.cluster.file.sync.level", ctx::fileSyncLevel, config.value(NodeSettings.FSYNC));
        putTimeouts(ctx);
        putSecurity(ctx);
        return ctx;
    }

    ClusterBackup.Context backup()
    {
        final MemberEndpoints endpoints = config.endpoints();
        final String controlTerms = "aeron:udp?term-length=" + RoomNeeded.CONTROL_TERM_LENGTH + controlMtu;
        return new ClusterBackup.Context()
            .aeronDirectoryName(config.aeronDir().toString())
            .clusterDir(folder.clusterDir().toFile())
            .clusterConsensusEndpoints(config.members().stream().map(MemberEndpoints::consensus).collect(Collectors.joining(",")))
            .consensusChannel(controlTerms + "|endpoint=" + endpoints.consensus())
            .catchupEndpoint(endpoints.catchup())
            .catchupChannel("aeron:udp?alias=backup")
            .archiveContext(ArchiveAccess.of(config, CONSENSUS_MODULE_RESPONSE_STREAM_ID))
            .clusterArchiveContext(new AeronArchive.Context()
                .controlRequestChannel(controlTerms)
                .controlTermBufferSparse(ArchiveAccess.areControlTermsSparse(config))
                .controlResponseChannel(controlTerms + "|endpoint=" + endpoints.host() + ":0")
                // It asks a source that may have ended to stop, and copies nothing meanwhile.
                .messageTimeoutNs(config.value(NodeSettings.BACKUP_RESPONSE_TIMEOUT))
                .credentialsSupplier(Credentials.supplier(config.credentials())))
            .credentialsSupplier(Credentials.supplier(config.credentials()))
            .sourceType(ClusterBackup.SourceType.valueOf(config.value(NodeSettings.BACKUP_SOURCE).toUpperCase(Locale.ROOT)))
            .clusterBackupIntervalNs(config.value(NodeSettings.BACKUP_INTERVAL))
            .clusterBackupResponseTimeoutNs(config.value(NodeSettings.BACKUP_RESPONSE_TIMEOUT))
            .clusterBackupProgressTimeoutNs(config.value(NodeSettings.BACKUP_PROGRESS_TIMEOUT))
            .replicationProgressTimeoutNs(config.value(NodeSettings.BACKUP_PROGRESS_TIMEOUT))
            .clusterBackupCoolDownIntervalNs(config.value(NodeSettings.BACKUP_COOL_DOWN))
            .idleStrategySupplier(idleStrategies)
            .errorHandler(faults.handlerOf(MemberFaults.Component.BACKUP))
            .terminationHook(() -> faults.onTermination(MemberFaults.Component.BACKUP));
    }

    /** Of one of the services, whose ids are from 0. */
    ClusteredServiceContainer.Context container(final int serviceId, final ClusteredService service)
    {
        final ClusteredServiceContainer.Context ctx = new ClusteredServiceContainer.Context()
            .aeronDirectoryName(config.aeronDir().toString())
            .clusterDir(folder.clusterDir().toFile())
            .serviceId(serviceId)
            .clusteredService(null != stages && 0 == serviceId ? stages.marking(service) : service)
            .archiveContext(ArchiveAccess.of(config, FIRST_SERVICE_RESPONSE_STREAM_ID + serviceId))
            .errorHandler(faults.handlerOf(MemberFaults.Component.SERVICE))
            .terminationHook(() -> faults.onTermination(MemberFaults.Component.SERVICE))
            .threadFactory(threads.factory(Profile.SERVICE));
        unlessSet(IDLE_KEY, ctx::idleStrategySupplier, idleStrategies);
        unlessSet("aeron.cluster.control.channel", ctx::controlChannel, serviceControlChannel());
        return ctx;
    }

    private void putTimeouts(final ConsensusModule.Context ctx)
    {
        unlessSet("aeron.cluster.max.sessions", ctx::maxConcurrentSessions, config.value(NodeSettings.MAX_SESSIONS));
        unlessSet("aeron.cluster.session.timeout", ctx::sessionTimeoutNs, config.value(NodeSettings.SESSION_TIMEOUT));
        unlessSet(
            "aeron.cluster.leader.heartbeat.timeout", ctx::leaderHeartbeatTimeoutNs,
            config.value(NodeSettings.HEARTBEAT_TIMEOUT));
        unlessSet(
            "aeron.cluster.leader.heartbeat.interval", ctx::leaderHeartbeatIntervalNs,
            config.value(NodeSettings.HEARTBEAT_INTERVAL));
        unlessSet("aeron.cluster.election.timeout", ctx::electionTimeoutNs, config.value(NodeSettings.ELECTION_TIMEOUT));
        unlessSet(
            "aeron.cluster.election.status.interval", ctx::electionStatusIntervalNs,
            config.value(NodeSettings.ELECTION_STATUS_INTERVAL));
        unlessSet(
            "aeron.cluster.startup.canvass.timeout", ctx::startupCanvassTimeoutNs, config.value(NodeSettings.CANVASS_TIMEOUT));
        ctx.random(new NominationDelay(config.memberId(), config.value(NodeSettings.PREFERRED_LEADER)));
    }

    /**
     * Only authenticated clients may request a snapshot over the network, and a backup, if there is one, may ask for the place of
     * the log. Standby members, which do not exist here, are always denied. The owner of the driver's folder uses its counters
     * instead.
     */
    private void putSecurity(final ConsensusModule.Context ctx)
    {
        final SimpleAuthorisationService.Builder authorisation = new SimpleAuthorisationService.Builder()
            .defaultAuthorisation(AuthorisationService.DENY_ALL);
        config.credentials().ifPresent(
            (credentials) ->
            {
                authorisation.addPrincipalRule(
                    MessageHeaderEncoder.SCHEMA_ID, AdminRequestEncoder.TEMPLATE_ID, AdminRequestType.SNAPSHOT,
                    credentials.encodedPrincipal(), true);
                ctx.authenticatorSupplier(() -> authenticator(credentials));
            });
        if (config.value(NodeSettings.BACKUP))
        {
            config.credentials().ifPresentOrElse(
                (credentials) -> authorisation.addPrincipalRule(
                    MessageHeaderEncoder.SCHEMA_ID, BackupQueryEncoder.TEMPLATE_ID, credentials.encodedPrincipal(), true),
                () -> authorisation.addGeneralRule(MessageHeaderEncoder.SCHEMA_ID, BackupQueryEncoder.TEMPLATE_ID, true));
        }
        unlessSet(
            "aeron.cluster.authorisation.service.supplier",
            () -> ctx.authorisationServiceSupplier(authorisation::newInstance));
    }

    private String serviceControlChannel()
    {
        return "aeron:ipc?term-length=" + RoomNeeded.SERVICE_TERM_LENGTH + controlMtu;
    }

    private static Authenticator authenticator(final Credentials credentials)
    {
        return new SimpleAuthenticator.Builder()
            .principal(credentials.encodedPrincipal(), credentials.encodedCredentials())
            .newInstance();
    }
}
