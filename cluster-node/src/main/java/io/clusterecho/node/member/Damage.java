package io.clusterecho.node.member;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.aeron.archive.client.ArchiveException;
import io.aeron.exceptions.AeronEvent;

import io.clusterecho.node.member.MemberFaults.Component;

/**
 * Decides from errors whether the data of this member is damaged. An archive reads recordings for its own member, which replays
 * log and snapshots before it serves; for other members, which copy them; and it copies the recordings of others. All three
 * report the same texts, but only in the first case does damage prevent this member from serving. Thread-safe.
 */
final class Damage
{
    /** Number of failures that prove damage: the consensus module repeats a replay of the log for ever. */
    static final int MAX_FAILURES = 3;

    private static final int MAX_TEXTS = 64;
    private static final int MAX_CAUSE_DEPTH = 10;
    /** Between the category and the text of Aeron's exceptions. */
    private static final String SEPARATOR = " - ";
    private static final String READER = "io.aeron.archive.ReplaySession";
    private static final String COPIER = "io.aeron.archive.ReplicationSession";
    /** In the text of each error of a reader that knows its file. */
    private static final String FILE = "segmentFile=";
    /** The catalog has invalid values, or differs from the log of the leader in what never changes. */
    private static final Pattern MISMATCH = Pattern.compile(
        "response for .* failed to process replayChannel|" +
        "cannot extend recording .* != rec\\.(initialTermId|termBufferLength|mtuLength)=");
    /** The only error of a reader that is not about the recording. */
    private static final String NO_RECEIVER = "no connection established";
    /** Read the files that describe the recordings, when a member is launched. */
    private static final Set<String> INDEXES = Set.of(
        "io.aeron.archive.Catalog", "io.aeron.archive.ArchiveMarkFile", "io.aeron.cluster.RecordingLog",
        "io.aeron.cluster.NodeStateFile", "io.aeron.cluster.service.ClusterMarkFile");

    /** A member without a log got that of a leader, which begins later, and wants it from its beginning. */
    private static final Pattern PURGED = Pattern.compile(
        "(?:invalid position |replay start position=)(\\d{1,18})" +
        "(?:: start=| is less than recording start position=)(\\d{1,18}) ");

    private final Deque<String> unreadable = new ArrayDeque<>();
    private int failureCount;

    /** Take an error into account; returns whether it proves that the data of this member is damaged. */
    synchronized boolean isProvenBy(final Component component, final Throwable error)
    {
        final String text = String.valueOf(error.getMessage());
        if (Component.ARCHIVE == component)
        {
            if (error instanceof ArchiveException && isThrownBy(error, Set.of(READER)) && !text.contains(NO_RECEIVER))
            {
                unreadable.addLast(text.substring(text.indexOf(SEPARATOR) + SEPARATOR.length()));
                if (unreadable.size() > MAX_TEXTS)
                {
                    unreadable.removeFirst();
                }
            }
        }
        // A leader reports what it cannot read for a follower as an event.
        else if (!(error instanceof AeronEvent) &&
            (unreadable.stream().anyMatch(text::contains) || MISMATCH.matcher(text).find()))
        {
            failureCount++;
        }

        return failureCount >= MAX_FAILURES;
    }

    /**
     * Whether an error that repeats proves that the other members have purged the log that this member lacks. Once proves
     * nothing: a leader gets it when it cannot give another member the log.
     */
    static boolean isOfPurge(final Throwable error)
    {
        final Matcher positions = PURGED.matcher(String.valueOf(error.getMessage()));
        return error instanceof ArchiveException && positions.find() &&
            Long.parseLong(positions.group(1)) < Long.parseLong(positions.group(2));
    }

    /** Whether damage explains that a component ended, by an error that may be null if it is unknown. */
    synchronized boolean isSuspected(final Throwable error)
    {
        return !unreadable.isEmpty() || null != error && isThrownBy(error, INDEXES);
    }

    /** What could not be read last, as a text to append; empty if everything could. */
    synchronized String evidence()
    {
        return unreadable.isEmpty() ? "" : "; " + unreadable.getLast();
    }

    /** Whether an error is about damage of another member's data, met while it was copied. */
    static boolean isOfAnother(final Component component, final Throwable error)
    {
        return Component.ARCHIVE == component && isThrownBy(error, Set.of(COPIER)) &&
            String.valueOf(error.getMessage()).contains(FILE);
    }

    static Stream<Throwable> causes(final Throwable error)
    {
        return Stream.iterate(error, Objects::nonNull, Throwable::getCause).limit(MAX_CAUSE_DEPTH);
    }

    private static boolean isThrownBy(final Throwable error, final Set<String> classes)
    {
        return causes(error).flatMap((cause) -> Arrays.stream(cause.getStackTrace()))
            .anyMatch((frame) -> classes.contains(frame.getClassName()));
    }
}
