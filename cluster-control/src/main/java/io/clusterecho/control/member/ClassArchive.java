package io.clusterecho.control.member;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import org.agrona.IoUtil;

import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.settings.Setting;
import io.clusterecho.settings.Settings;

/**
 * The classes of a member, loaded and verified once and stored in a file that later members map (class data sharing of the
 * JVM). A member that loads them from the jar spends most of its start on that, and takes cores from the threads under load
 * meanwhile. It is optional: without the file, or with one of another JVM, members only start more slowly.
 */
public final class ClassArchive
{
    /** Starts a cluster, and stops it once it serves. */
    public interface Trial
    {
        /** Start and stop the cluster, each within the timeout in ns. */
        void run(Settings settings, MemberLauncher launcher, long timeoutNs);
    }

    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final String SUFFIX = ".jsa";

    private final Path jar;
    private final Path file;

    /** The archive beside a jar, for JVM flags that may name another jar of Aeron. */
    public ClassArchive(final Path jar, final List<String> flags)
    {
        this.jar = jar.toAbsolutePath();
        final String name = jar.getFileName().toString().replaceFirst("\\.jar$", "");
        final String aeron = flags.stream().filter((flag) -> flag.startsWith(MemberLauncher.AERON))
            .map((flag) -> "-" + Path.of(flag).getFileName()).collect(Collectors.joining());
        file = this.jar.resolveSibling(name + aeron + "-" + Runtime.version() + SUFFIX);
    }

    /** The JVM flags that make a member use the archive; none without a current archive of this jar. */
    public List<String> flags()
    {
        return isCurrent() ? List.of("-XX:SharedArchiveFile=" + file) : List.of();
    }

    /** Unless current, run one member alone on the ports of a cluster about to start, whose JVM dumps its classes at exit. */
    public void make(
        final NodeConfig config, final MemberLauncher launcher, final Trial trial, final Consumer<String> progress)
    {
        if (isCurrent() || !Files.isWritable(file.getParent()))
        {
            return;
        }

        progress.accept("archiving the classes of the members, once for each build");
        final Path draft = file.resolveSibling(file.getFileName() + "." + ProcessHandle.current().pid());
        try
        {
            final Path dir = Files.createTempDirectory("cluster-echo-classes");
            try
            {
                record(dir, config, launcher.with("-XX:ArchiveClassesAtExit=" + draft), trial);
            }
            finally
            {
                IoUtil.delete(dir.toFile(), true);
            }
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        }
        catch (final IOException | RuntimeException ex)
        {
            progress.accept("could not archive the classes of the members, so they load them from the jar: " + ex);
            IoUtil.delete(draft.toFile(), true);
        }
    }

    private static void record(
        final Path dir, final NodeConfig config, final MemberLauncher launcher, final Trial trial)
    {
        final Settings settings = new Settings(NodeSettings.PREFIX, NodeSettings.ALL);
        settings.put(NodeSettings.BASE_DIR.key(), dir.toString(), "class archive");
        settings.put(NodeSettings.HOSTS.key(), "127.0.0.1", "class archive");
        // Where the cluster fits, so does this member.
        for (final Setting<?> setting : List.of(
            NodeSettings.BASE_PORT, NodeSettings.PROFILE, NodeSettings.LOG_TERM_LENGTH, NodeSettings.CLIENT_TERM_LENGTH,
            NodeSettings.MAX_MESSAGE_LENGTH))
        {
            settings.put(setting.key(), config.effective().get(setting.key()), "class archive");
        }
        trial.run(settings, launcher, TIMEOUT_NS);
    }

    private boolean isCurrent()
    {
        return Files.isRegularFile(file) && file.toFile().lastModified() > jar.toFile().lastModified();
    }
}
