package io.clusterecho.control.member;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.aeron.CncFileDescriptor;

import io.clusterecho.media.counters.DriverCounters;
import io.clusterecho.media.counters.LocalProcess;
import io.clusterecho.media.counters.ProcessSample;
import io.clusterecho.media.driver.DriverFile;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.member.FolderLock;
import io.clusterecho.node.member.MemberFolder;
import io.clusterecho.platform.LoopDisk;
import io.clusterecho.process.ChildProcess;
import io.clusterecho.settings.Io;
import io.clusterecho.settings.Settings;

import org.agrona.IoUtil;
import org.agrona.concurrent.status.CountersReader;

/** A member or a backup on this machine. Methods return at once. */
public class LocalNode implements Node
{
    /** Time for the system to report the end of a process that has ended. */
    private static final long COLLECT_TIMEOUT_NS = 5_000_000_000L;
    private static final String PROCESS_FILE = "process.properties";
    private static final String EARLIER_LOG_FILE = "member-earlier.log";
    private static final long MAX_LOG_LENGTH = 16L << 20;
    private static final String START_MARK = "---- start ";
    private static final Pattern EXIT_LINE = Pattern.compile("(?:member [0-9]+|backup) stopped, exit ([0-9]+) .*");

    private final Place place;
    private final Path settingsFile;
    private MemberLauncher launcher;
    private ChildProcess child;
    private final Map<String, LocalProcess> sampled = new LinkedHashMap<>();

    /** @param launcher of the process, null if it is not started. */
    LocalNode(final Place place, final Path settingsFile, final MemberLauncher launcher)
    {
        this.place = place;
        this.settingsFile = settingsFile;
        this.launcher = launcher;
    }

    /** The backup of a cluster; the launcher is null if it is not started. */
    public static Node backup(final NodeConfig config, final Path settingsFile, final MemberLauncher launcher)
    {
        return new LocalNode(
            Place.of(true, "", config.baseDir(), config.backupEndpoints()), settingsFile, launcher);
    }

    @Override
    public final Place place()
    {
        return place;
    }

    /** Words before the command of the JVM. Called when the folder of the process exists. */
    List<String> prefix() throws IOException
    {
        return List.of();
    }

    public final void useJar(final Path jar)
    {
        launcher = launcher.ofJar(jar);
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

        final List<String> words = Io.call((ex) -> notWritten(logFile(), ex), () ->
        {
            MemberFolder.makePrivate(dir());
            if (Files.exists(logFile()) && Files.size(logFile()) > MAX_LOG_LENGTH)
            {
                Files.move(logFile(), dir().resolve(EARLIER_LOG_FILE), StandardCopyOption.REPLACE_EXISTING);
            }
            Files.writeString(
                logFile(), START_MARK + Instant.now() + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            return prefix();
        });

        final List<String> arguments = place.isBackup() ? List.of("--backup", settingsFile.toString()) :
            List.of("--member-id", String.valueOf(place.endpoints().memberId()), settingsFile.toString());
        child = launcher.launch(dir(), logFile(), words, arguments);
        try
        {
            // The process may have ended in the meantime and has no start time; the record then says so.
            ProcessRecord.of(child.pid()).orElse(new ProcessRecord(child.pid(), "")).write(dir().resolve(PROCESS_FILE));
        }
        catch (final IOException ex)
        {
            // No later command could find it before it has its lock.
            child.kill();
            throw notWritten(dir().resolve(PROCESS_FILE), ex);
        }
    }

    private ControlFailure notWritten(final Path file, final IOException ex)
    {
        return ControlFailure.notReady("cannot write " + file + ": " + ex.getMessage() + "; its file system has " +
            dir().toFile().getUsableSpace() / 1024 + " KB free: make space there, then start again");
    }

    @Override
    public void terminate()
    {
        handle().ifPresent((process) -> check(process.destroy(), process));
        live().ifPresent(ProcessRecord::resume);
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
            throw ControlFailure.denied("stop " + name() + ", pid " + process.pid(), dir());
        }
    }

    @Override
    public OptionalInt exitCode()
    {
        if (pid().isPresent())
        {
            return OptionalInt.empty();
        }
        if (null != child && record().map((found) -> found.pid() == child.pid()).orElse(true))
        {
            return child.awaitEndUninterrupted(System.nanoTime() + COLLECT_TIMEOUT_NS) ?
                OptionalInt.of(child.exitStatus()) : OptionalInt.empty();
        }

        // Not only the last line: a driver may write more when it ends.
        return output().stream().map(EXIT_LINE::matcher).filter(Matcher::matches)
            .mapToInt((exit) -> Integer.parseInt(exit.group(1))).findFirst();
    }

    @Override
    public List<String> output()
    {
        // Not decoded as UTF-8: a process killed in the middle of a character must not make its log unreadable.
        final List<String> lines = !Files.exists(logFile()) ? List.of() :
            Io.call("cannot read " + logFile(), () -> Files.readAllLines(logFile(), StandardCharsets.ISO_8859_1));
        int begin = lines.size();
        while (begin > 0 && !lines.get(begin - 1).startsWith(START_MARK))
        {
            begin--;
        }

        return lines.subList(begin, lines.size());
    }

    @Override
    public void cleanUp()
    {
        checkEnded();

        final String[] names = aeronDir().toFile().list();
        // It is empty if the process was killed while its driver started.
        if (null != names && (0 == names.length || List.of(names).contains(CncFileDescriptor.CNC_FILE)))
        {
            delete(aeronDir());
        }
        delete(dir().resolve(PROCESS_FILE));
    }

    @Override
    public Map<String, ProcessSample> samples()
    {
        sampled.computeIfAbsent("", (suffix) -> new LocalProcess(this::knownPid, () -> Optional.of(aeronDir())));
        if (driverPid().isPresent())
        {
            sampled.computeIfAbsent(LocalProcess.DRIVER, (suffix) -> new LocalProcess(this::driverPid, Optional::empty));
        }
        final Map<String, ProcessSample> samples = new LinkedHashMap<>();
        sampled.forEach((suffix, process) -> samples.put(suffix, process.take()));
        LocalProcess.takeDisk(dir().resolve(MemberFolder.ARCHIVE_DIR), samples.get("").values());
        return samples;
    }

    @Override
    public final void endSamples()
    {
        sampled.values().forEach(LocalProcess::close);
        sampled.clear();
    }

    private OptionalLong driverPid()
    {
        return DriverFile.pidUsedBy(aeronDir(), knownPid().orElse(-1));
    }

    @Override
    public final boolean deleteData()
    {
        cleanUp();
        // One that is killed at once has not made its lock.
        final boolean isMade = Stream.of(dir().resolve(FolderLock.FILE), logFile()).anyMatch(Files::isRegularFile);
        if (isMade && LoopDisk.isMounted(dir()))
        {
            // The folder belongs to whoever mounted the disk.
            Io.run(
                (ex) -> ControlFailure.notReady("cannot delete the files in " + dir() + ": " + ex),
                () -> Io.list(dir()).forEach(LocalNode::delete));
        }
        else if (isMade)
        {
            delete(dir());
        }

        return isMade;
    }

    static void delete(final Path path)
    {
        IoUtil.delete(
            path.toFile(),
            (ex) ->
            {
                throw ControlFailure.notReady("cannot delete " + path + ": " + ex);
            });
    }

    @Override
    public final boolean hasLog()
    {
        return Files.exists(dir().resolve(MemberFolder.ARCHIVE_DIR).resolve(MemberStorage.CATALOG_FILE)) &&
            (!place.isBackup() || storage().hasLog());
    }

    @Override
    public final MemberStorage storage()
    {
        return MemberStorage.read(dir());
    }

    @Override
    public final MemberErrors errors()
    {
        return MemberErrors.read(dir(), aeronDir());
    }

    @Override
    public final Optional<BackupCounters> backupCounters()
    {
        return readCounters(BackupCounters::of);
    }

    /** @return empty if the process does not run, or the reader returns null. */
    final <T> Optional<T> readCounters(final Function<CountersReader, T> reader)
    {
        return knownPid().stream().boxed().findFirst().flatMap((pid) -> DriverCounters.map(aeronDir(), pid)).map((counters) ->
        {
            try (counters)
            {
                return reader.apply(counters.reader());
            }
        });
    }

    @Override
    public final void purge(final long position, final int snapshotCount)
    {
        running();
        final Settings settings = new Settings(NodeSettings.PREFIX, NodeSettings.ALL)
            .putFiles(List.of(settingsFile)).put(NodeSettings.AERON_DIR.key(), aeronDir().toString(), "command");
        final NodeConfig own = place.isBackup() ? NodeConfig.ofBackup(settings) : new NodeConfig(
            settings.put(NodeSettings.MEMBER_ID.key(), String.valueOf(place.endpoints().memberId()), "command"));
        new StoragePurge(name(), own, dir()).run(storage(), position, snapshotCount);
    }

    final ProcessRecord running()
    {
        return live().orElseThrow(() -> ControlFailure.notReady(name() + " does not run"));
    }

    /** @throws IllegalStateException if it runs. */
    void checkEnded()
    {
        pid().ifPresent((pid) ->
        {
            throw new IllegalStateException(name() + " runs, pid " + pid);
        });
    }

    /** The recorded process if it runs, else one without a record: started by hand, or by a start that was killed. */
    Optional<ProcessRecord> live()
    {
        return record().filter(ProcessRecord::isAlive)
            .or(() -> FolderLock.holder(dir()).stream().boxed().findFirst().flatMap(ProcessRecord::of));
    }

    Optional<ProcessHandle> handle()
    {
        return live().flatMap(ProcessRecord::handle);
    }

    private Optional<ProcessRecord> record()
    {
        return ProcessRecord.read(dir().resolve(PROCESS_FILE));
    }
}
