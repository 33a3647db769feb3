package io.clusterecho.control.member;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.aeron.CncFileDescriptor;

import io.clusterecho.media.counters.LocalProcess;
import io.clusterecho.media.counters.ProcessSource;
import io.clusterecho.media.driver.DriverFile;
import io.clusterecho.media.link.Impairment;
import io.clusterecho.media.link.LinkControl;
import io.clusterecho.node.config.MemberEndpoints;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.member.FolderLock;
import io.clusterecho.node.member.LeaderPreference;
import io.clusterecho.node.member.MemberSeed;
import io.clusterecho.platform.LoopDisk;
import io.clusterecho.process.ChildProcess;
import io.clusterecho.settings.Settings;

/**
 * One member of a cluster on this machine, as a process: can be started, paused, stopped, and found again by the files in its
 * folder. Methods return at once unless documented as waiting. Not thread-safe, except {@link #pid()} and {@link #counters()}.
 */
public final class LocalMember implements ClusterMember
{
    /** Time for the system to report the end of a process that has ended. */
    private static final long COLLECT_TIMEOUT_NS = 5_000_000_000L;
    private static final String PROCESS_FILE = "process.properties";
    private static final String LOG_FILE = "member.log";
    private static final String EARLIER_LOG_FILE = "member-earlier.log";
    private static final long LINK_TIMEOUT_NS = 1_000_000_000L;
    private static final long KILL_TIMEOUT_NS = 30_000_000_000L;
    private static final long MAX_LOG_LENGTH = 16L << 20;
    private static final String START_MARK = "---- start ";
    private static final Pattern EXIT_LINE = Pattern.compile("member [0-9]+ stopped, exit ([0-9]+) .*");

    private final MemberEndpoints endpoints;
    private final Path dir;
    private final Path aeronDir;
    private final Path settingsFile;
    private MemberLauncher launcher;
    private final List<String> prefix;
    private final CallFaults calls;
    private final MemberFiles files;
    private ChildProcess child;

    public LocalMember(
        final MemberEndpoints endpoints,
        final Path dir,
        final Path aeronDir,
        final Path settingsFile,
        final MemberLauncher launcher,
        final String prefix,
        final String faultLibrary)
    {
        this.endpoints = endpoints;
        this.dir = dir;
        this.aeronDir = aeronDir;
        this.settingsFile = settingsFile;
        this.launcher = launcher;
        this.prefix = prefix.isBlank() ? List.of() :
            List.of(prefix.strip().replace("{id}", String.valueOf(endpoints.memberId())).split("\\s+"));
        files = new MemberFiles(dir);
        calls = new CallFaults(endpoints.memberId(), dir, faultLibrary);
    }

    @Override
    public int memberId()
    {
        return endpoints.memberId();
    }

    @Override
    public MemberEndpoints endpoints()
    {
        return endpoints;
    }

    @Override
    public String hostName()
    {
        return "";
    }

    @Override
    public Path dir()
    {
        return dir;
    }

    @Override
    public Path aeronDir()
    {
        return aeronDir;
    }

    @Override
    public Path logFile()
    {
        return dir.resolve(LOG_FILE);
    }

    @Override
    public OptionalLong pid()
    {
        return live().map((found) -> OptionalLong.of(found.pid())).orElse(OptionalLong.empty());
    }

    @Override
    public boolean isRecorded()
    {
        return record().isPresent();
    }

    @Override
    public void start()
    {
        checkEnded();

        final List<String> words = new ArrayList<>(prefix);
        try
        {
            if (!Files.isDirectory(dir))
            {
                Files.createDirectories(
                    dir, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            }
            if (Files.exists(logFile()) && Files.size(logFile()) > MAX_LOG_LENGTH)
            {
                Files.move(logFile(), dir.resolve(EARLIER_LOG_FILE), StandardCopyOption.REPLACE_EXISTING);
            }
            Files.writeString(
                logFile(), START_MARK + java.time.Instant.now() + "\n",
                java.nio.file.StandardOpenOption.CREATE, java.nio.file.StandardOpenOption.APPEND);
            words.addAll(calls.prefix());
        }
        catch (final IOException ex)
        {
            throw notWritten(logFile(), ex);
        }

        child = launcher.launch(
            dir, logFile(), words, List.of("--member-id", String.valueOf(memberId()), settingsFile.toString()));
        try
        {
            // The process may have ended in the meantime and has no start time; the record then says so.
            ProcessRecord.of(child.pid()).orElse(new ProcessRecord(child.pid(), "")).write(dir.resolve(PROCESS_FILE));
        }
        catch (final UncheckedIOException ex)
        {
            // No later command could find it before it has its lock.
            child.kill();
            throw notWritten(dir.resolve(PROCESS_FILE), ex.getCause());
        }
    }

    private ControlFailure notWritten(final Path file, final IOException ex)
    {
        final long freeLength = dir.toFile().getUsableSpace();
        return new ControlFailure(
            ControlFailure.NOT_READY, "cannot write " + file + ": " + ex.getMessage() + "; its file system has " +
            freeLength / 1024 + " KB free: make space there, then start again");
    }

    @Override
    public void useJar(final Path jar)
    {
        launcher = launcher.ofJar(jar);
    }

    @Override
    public void prefer(final LeaderPreference preference)
    {
        files.prefer(preference);
    }

    @Override
    public void terminate()
    {
        handle().ifPresent((process) -> check(process.destroy(), process));
        resume();
    }

    @Override
    public void kill()
    {
        handle().ifPresent((process) -> check(process.destroyForcibly(), process));
    }

    private void check(final boolean isSignalled, final ProcessHandle process)
    {
        if (!isSignalled && process.isAlive())
        {
            throw Permission.signalDenied(this, process.pid());
        }
    }

    @Override
    public void disk(final DiskAction action)
    {
        try
        {
            final LoopDisk disk = LoopDisk.on(dir);
            switch (action)
            {
                case LOSE_POWER -> losePower(disk);
                case STALL -> disk.freeze();
                case RESUME -> disk.thaw();
                case FILL -> disk.fill();
                case FREE -> disk.free();
                default ->
                {
                    // Checked above.
                }
            }
        }
        catch (final IOException ex)
        {
            throw new ControlFailure(
                ControlFailure.NOT_READY, "the disk of member " + memberId() + ": " + ex.getMessage() +
                " (scripts/disk-lab.sh makes disks that can fail)");
        }
    }

    private void losePower(final LoopDisk disk) throws IOException
    {
        // Found first: its record cannot be read while the disk is without power.
        final Optional<ProcessHandle> process = handle();
        kill();
        disk.shutDown();
        final boolean isEnded =
            Deadline.in(KILL_TIMEOUT_NS).await(() -> !process.map(ProcessHandle::isAlive).orElse(false));
        disk.remount();
        if (!isEnded)
        {
            throw new ControlFailure(ControlFailure.NOT_READY, "member " + memberId() + " still runs after SIGKILL");
        }
    }

    /**
     * Check the settings that only matter on the member's own machine.
     *
     * @throws io.clusterecho.settings.InvalidSettingException for one that cannot be used.
     */
    void check()
    {
        calls.check();
    }

    @Override
    public void calls(final CallFault fault)
    {
        calls.add(fault, pid());
    }

    @Override
    public void releaseCalls()
    {
        calls.clear();
    }

    @Override
    public void limitFiles(final long count)
    {
        running().limitFiles(count);
    }

    @Override
    public void releaseFiles()
    {
        running().releaseFiles();
    }

    private ProcessRecord running()
    {
        return live().orElseThrow(
            () -> new ControlFailure(ControlFailure.NOT_READY, "member " + memberId() + " does not run"));
    }

    @Override
    public void pause()
    {
        live().ifPresent(ProcessRecord::pause);
    }

    @Override
    public void resume()
    {
        live().ifPresent(ProcessRecord::resume);
    }

    @Override
    public void dumpStacks()
    {
        live().ifPresent(ProcessRecord::dumpStacks);
    }

    @Override
    public OptionalInt exitCode()
    {
        if (isAlive())
        {
            return OptionalInt.empty();
        }
        if (null != child && record().map((found) -> found.pid() == child.pid()).orElse(true))
        {
            try
            {
                return child.awaitEnd(COLLECT_TIMEOUT_NS) ? OptionalInt.of(child.exitStatus()) : OptionalInt.empty();
            }
            catch (final InterruptedException ex)
            {
                Thread.currentThread().interrupt();
                return OptionalInt.empty();
            }
        }

        // Not only the last line: a driver may write more when it ends.
        return output().stream().map(EXIT_LINE::matcher).filter(Matcher::matches)
            .mapToInt((exit) -> Integer.parseInt(exit.group(1))).findFirst();
    }

    @Override
    public List<String> output()
    {
        try
        {
            // Not decoded as UTF-8: a process killed in the middle of a character must not make its log unreadable.
            final List<String> lines = Files.exists(logFile()) ?
                Files.readAllLines(logFile(), StandardCharsets.ISO_8859_1) : List.of();
            int begin = lines.size();
            while (begin > 0 && !lines.get(begin - 1).startsWith(START_MARK))
            {
                begin--;
            }

            return lines.subList(begin, lines.size());
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot read " + logFile(), ex);
        }
    }

    @Override
    public void cleanUp()
    {
        checkEnded();

        final String[] names = aeronDir.toFile().list();
        // It is empty if the process was killed while its driver started.
        if (null != names && (0 == names.length || List.of(names).contains(CncFileDescriptor.CNC_FILE)))
        {
            MemberFiles.delete(aeronDir);
        }
        MemberFiles.delete(dir.resolve(PROCESS_FILE));
    }

    @Override
    public void wipe()
    {
        checkEnded();
        files.wipe();
    }

    @Override
    public void setAside(final String folder)
    {
        checkEnded();
        files.setAside(folder);
    }

    @Override
    public boolean deleteData()
    {
        cleanUp();
        return files.deleteAll();
    }

    @Override
    public boolean hasLog()
    {
        return files.hasLog();
    }

    @Override
    public MemberStorage storage()
    {
        return MemberStorage.read(dir);
    }

    @Override
    public void purge(final long position, final int snapshotCount)
    {
        running();
        new StoragePurge(ownConfig(), dir).run(storage(), position, snapshotCount);
    }

    @Override
    public MemberSeed seed()
    {
        final MemberStorage storage = storage();
        if (storage.snapshots().isEmpty())
        {
            throw new ControlFailure(
                ControlFailure.NOT_READY, "member " + memberId() + " has no snapshot to copy: run snapshot first");
        }

        return MemberSeed.of(dir, endpoints.archive(), storage.positionOfNewest(1));
    }

    @Override
    public void putSeed(final MemberSeed seed)
    {
        checkEnded();
        seed.write(dir);
    }

    private NodeConfig ownConfig()
    {
        return new NodeConfig(new Settings(NodeSettings.PREFIX, NodeSettings.ALL)
            .putFiles(List.of(settingsFile))
            .put(NodeSettings.MEMBER_ID.key(), String.valueOf(memberId()), "command")
            .put(NodeSettings.AERON_DIR.key(), aeronDir.toString(), "command"));
    }

    @Override
    public void impair(final Impairment impairment)
    {
        try (LinkControl control = link())
        {
            checkAddresses(control, impairment);
            request(control, impairment);
            control.awaitTaken(LINK_TIMEOUT_NS);
        }
    }

    @Override
    public void restoreLink()
    {
        try (LinkControl control = link())
        {
            request(control, Impairment.NONE);
        }
    }

    private void checkAddresses(final LinkControl control, final Impairment impairment)
    {
        if (Impairment.Scope.ALL != impairment.scope() && 0 == control.memberCount())
        {
            throw new ControlFailure(
                ControlFailure.UNUSABLE,
                "member " + memberId() + " cannot distinguish members and clients by their addresses: start the cluster with " +
                NodeSettings.PLACEMENT.key() + "=cluster, or with a different address for each member");
        }
    }

    private void request(final LinkControl control, final Impairment impairment)
    {
        try
        {
            control.impair(impairment);
        }
        catch (final IOException ex)
        {
            throw withoutFilter(ex);
        }
    }

    @Override
    public Optional<MemberCounters> counters()
    {
        return MemberCounters.read(this, knownPid());
    }

    @Override
    public MemberErrors errors()
    {
        return MemberErrors.read(this);
    }

    @Override
    public void ask(final LeaderControl.Action action, final int clusterId, final Deadline deadline)
    {
        LeaderControl.ask(this, clusterId, action, deadline);
    }

    @Override
    public List<ProcessSource> sources()
    {
        final List<ProcessSource> sources = new ArrayList<>();
        sources.add(new LocalProcess("", this::knownPid, () -> Optional.of(aeronDir)));
        if (driverPid().isPresent())
        {
            sources.add(new LocalProcess(LocalProcess.DRIVER, this::driverPid, Optional::empty));
        }

        return sources;
    }

    @Override
    public void fetchStates(final Path folder)
    {
        // A reader of the folder reads them first.
    }

    @Override
    public Path localDir(final Path folder)
    {
        return dir;
    }

    /**
     * Pid of the process, for readers of counters: also empty if it is unknown whether it runs.
     */
    public OptionalLong knownPid()
    {
        try
        {
            return pid();
        }
        catch (final ControlFailure ex)
        {
            return OptionalLong.empty();
        }
    }

    private OptionalLong driverPid()
    {
        final OptionalLong user = knownPid();
        return user.isEmpty() ? OptionalLong.empty() : DriverFile.pidUsedBy(aeronDir, user.getAsLong());
    }

    private LinkControl link()
    {
        try
        {
            return LinkControl.open(dir);
        }
        catch (final IOException ex)
        {
            throw withoutFilter(ex);
        }
    }

    private ControlFailure withoutFilter(final IOException ex)
    {
        return new ControlFailure(
            ControlFailure.UNUSABLE, "member " + memberId() + " has no link filter (" + ex.getMessage() +
            "): start the cluster with " + NodeSettings.FAULT_FILTER.key() + "=true");
    }

    private void checkEnded()
    {
        // Read once: the process may end between two reads.
        final OptionalLong pid = pid();
        if (pid.isPresent())
        {
            throw new IllegalStateException("member " + memberId() + " runs, pid " + pid.getAsLong());
        }
    }

    private Optional<ProcessRecord> record()
    {
        return ProcessRecord.read(dir.resolve(PROCESS_FILE));
    }

    /**
     * The recorded process if it runs, else one that no command has recorded: started by hand, or by a start that was killed
     * before it could write its record.
     */
    private Optional<ProcessRecord> live()
    {
        return record().filter(ProcessRecord::isAlive)
            .or(() -> FolderLock.holder(dir).stream().boxed().findFirst().flatMap(ProcessRecord::of));
    }

    private Optional<ProcessHandle> handle()
    {
        return live().flatMap(ProcessRecord::handle);
    }
}
