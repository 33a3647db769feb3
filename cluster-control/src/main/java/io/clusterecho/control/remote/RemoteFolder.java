package io.clusterecho.control.remote;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.process.ChildProcess;
import io.clusterecho.process.CommandHint;
import io.clusterecho.process.Launch;

/** Copies the folder of a member from its host, over ssh; it is absolute there. */
record RemoteFolder(HostLink link, Path dir)
{
    private static final long COPY_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(600);
    /** Exit status of tar when a file changed while it was read, and nothing else went wrong. */
    private static final int TAR_FILE_CHANGED = 1;
    /** The member's own record of its states. */
    private static final String STATE_FILES = "state*.log";

    /** Copy the member's own record of its states. */
    void fetchStates(final Path copy)
    {
        copy("find . -name '" + STATE_FILES + "' | tar -cf - -T -", copy);
    }

    /** Copy all but that, and damaged data. */
    Path fetchRest(final Path copy)
    {
        // Recordings are sparse files of a fixed length.
        return copy(
            "tar -cSf - --exclude='" + STATE_FILES + "' --exclude='./" + ClusterMember.DAMAGED_PREFIX + "*' .", copy);
    }

    /** Run a command that packs files of the folder, and unpack its output here. */
    private Path copy(final String packing, final Path copy)
    {
        try
        {
            Files.createDirectories(copy);
            final ChildProcess sender = new Launch("the sender", link.host().overSsh(
                "cd " + CommandHint.quoted(dir.toString()) + " && " + packing))
                .pipedOutput().errors(ProcessBuilder.Redirect.INHERIT).start(link.starter());
            try
            {
                unpack(sender, copy);
            }
            finally
            {
                sender.abandon();
            }

            return copy;
        }
        catch (final IOException ex)
        {
            throw notCopied(copy, ex);
        }
        catch (final UncheckedIOException ex)
        {
            throw notCopied(copy, ex.getCause());
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw link.host().failure("the copy of " + dir + " was interrupted");
        }
    }

    private UncheckedIOException notCopied(final Path copy, final IOException cause)
    {
        return new UncheckedIOException("cannot copy " + link.host().name() + ":" + dir + " to " + copy, cause);
    }

    private void unpack(final ChildProcess sender, final Path copy) throws IOException, InterruptedException
    {
        final ChildProcess taker = new Launch("tar", List.of("tar", "-C", copy.toString(), "-xf", "-"))
            .pipedInput().output(ProcessBuilder.Redirect.DISCARD).errors(ProcessBuilder.Redirect.INHERIT).start(link.starter());
        try
        {
            try (var from = sender.output(); var to = taker.input())
            {
                from.transferTo(to);
            }
            // A member that keeps writing is read as on this machine: earlier data is complete.
            if (!taker.awaitEnd(COPY_TIMEOUT_NS) || 0 != taker.exitStatus() ||
                !sender.awaitEnd(COPY_TIMEOUT_NS) || sender.exitStatus() > TAR_FILE_CHANGED)
            {
                throw link.host().failure("the copy of " + dir + " is incomplete");
            }
        }
        finally
        {
            taker.abandon();
        }
    }
}
