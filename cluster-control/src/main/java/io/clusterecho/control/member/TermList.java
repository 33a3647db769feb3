package io.clusterecho.control.member;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.RecordingLog;

import io.clusterecho.node.member.LogTerms;
import io.clusterecho.node.member.MemberFolder;
import io.clusterecho.node.member.MemberSeed;
import io.clusterecho.node.member.Recording;

/**
 * Rebuilds the list of terms and snapshots of a member from the terms in its log. Aeron's ClusterTool can only shorten a list to
 * its newest snapshot. Without its snapshots the member replays its log from the beginning, which must not be purged.
 */
final class TermList
{
    private static final String SUFFIX_OF_OLD = ".damaged";
    private static final int FILE_SYNC_LEVEL = 2;

    /** Rebuild the list of a member that is down, of whose log nothing is purged; the old one is kept. Returns the terms. */
    static int rebuild(final Path dir)
    {
        final Path clusterDir = dir.resolve(MemberFolder.CLUSTER_DIR);
        final Path file = clusterDir.resolve(RecordingLog.RECORDING_LOG_FILE_NAME);
        try
        {
            final List<Recording> logs = Recording.in(dir.resolve(MemberFolder.ARCHIVE_DIR)).values().stream()
                .filter((recording) -> ConsensusModule.Configuration.LOG_STREAM_ID_DEFAULT == recording.streamId()).toList();
            if (1 != logs.size() || 0 != logs.get(0).startPosition())
            {
                throw new IllegalStateException("there are " + logs.size() + " logs, or the log was purged");
            }

            final Recording log = logs.get(0);
            final List<MemberSeed.Term> terms = LogTerms.of(log);
            if (Files.exists(file))
            {
                Files.move(file, file.resolveSibling(file.getFileName() + SUFFIX_OF_OLD), StandardCopyOption.REPLACE_EXISTING);
            }
            try (RecordingLog list = new RecordingLog(clusterDir.toFile(), true))
            {
                long id = 0;
                for (final MemberSeed.Term term : terms)
                {
                    // A term that nobody won has no message; Aeron lists it with the next.
                    for (; id <= term.id(); id++)
                    {
                        list.appendTerm(log.id(), id, term.basePosition(), term.timestamp());
                    }
                }
                list.force(FILE_SYNC_LEVEL);
            }
            return terms.size();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot write " + file, ex);
        }
        catch (final RuntimeException ex)
        {
            throw ControlFailure.notReady(
                "cannot rebuild " + file + " from the log: " + ex.getMessage() + "; copy the data of another member");
        }
    }
}
