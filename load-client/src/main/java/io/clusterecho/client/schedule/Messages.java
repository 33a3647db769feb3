package io.clusterecho.client.schedule;

import java.util.List;

import io.clusterecho.reporting.measurement.MessageKind;

/** The messages of a load: which kinds there are, and which message is of which kind. Immutable. */
public interface Messages
{
    /** Maximum number of kinds; each has histograms of its own. */
    int MAX_KINDS = 32;

    /** Kinds of messages, at least one, in the order of results. */
    List<MessageKind> kinds();

    /** Kind and length of each message, for one thread. */
    MessageMix newMix();

    /** Length of the longest message in bytes. */
    default int maxLengthBytes()
    {
        return kinds().stream().mapToInt(MessageKind::maxLengthBytes).max().orElseThrow();
    }

    /** Messages of one length, header included. */
    static Messages ofLength(final int lengthBytes, final double ratePerSecond)
    {
        return new DrawnMessages(
            List.of(new MessageKind(String.valueOf(lengthBytes), lengthBytes, lengthBytes, ratePerSecond)), 0);
    }
}
