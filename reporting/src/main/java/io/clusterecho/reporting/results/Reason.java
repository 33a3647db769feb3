package io.clusterecho.reporting.results;

import java.util.List;

import io.clusterecho.text.Lines;

/** Why a result is not good: a kind and its values, of which the sentence is made where it is shown. */
public record Reason(Kind kind, List<Object> values)
{
    /** Kinds, each with the sentence that shows its values, in the order in which reasons and warnings are shown. */
    public enum Kind
    {
        /** A failure, damaged evidence, or a reason of one of several runs, in words. */
        PROBLEM("%s"),
        ACCOUNTS("the accounts do not add up: scheduled=%d, accounted for=%d"),
        NOTHING_MEASURED("nothing was measured"),
        ACKNOWLEDGED_LOST("%d acknowledged messages were lost"),
        APPLIED_TWICE("%d messages were applied twice"),
        FORGOTTEN("ended early: the service misses %d messages that it had acknowledged, and rejects all later ones of their " +
            "client"),
        REPLIES_WITHOUT_QUORUM("cycle %d: %d replies while there was no quorum"),
        SESSION_LOST("%d messages unanswered because their session was lost"),
        OTHER_SERVICE("%d corrupt replies and no others: the members run another service than the load expects; --service " +
            "plain is for one that sends bytes back"),
        NO_REPLY("%d of %d messages without a reply (%d unanswered, %d never sent)"),
        NO_REPLY_AT_END("%d messages without a reply at the end"),
        RECEIVER_ACCOUNTS("the accounts of receiver %d do not add up: scheduled=%d, accounted for=%d"),
        COPIES_MISSING("%d of %d copies did not reach their receiver (%d of %d receivers)"),
        ELECTION("%s"),
        ABSENCE("%s"),
        CYCLE("cycle %d: %s"),
        AUDIT("the audit has %d finding(s); the first: %s"),
        NOT_AUDITED("the members' logs were not audited"),
        DUPLICATES("%d duplicate replies"),
        OUT_OF_ORDER("%d replies out of order"),
        CORRUPT("%d corrupt replies"),
        GAPS("%d requests rejected because an earlier one was missing, though neither leader nor session changed"),
        COPIES_DUPLICATE("%d duplicate copies"),
        COPIES_CORRUPT("%d corrupt copies"),
        RATE_MISSED("rate missed: %.0f of %d messages/s achieved (%.1f%%)"),
        BEHIND_SCHEDULE("rate missed: %s"),
        STALL("the client stalled for %s"),
        NOT_RETURNED("%s"),
        /** The condition, and a sentence with its value. */
        THRESHOLD("threshold failed: %2$s"),
        /** Of warnings alone, as elections are. */
        NOTE("%s"),
        PARTIAL("partial: %s");

        private final String sentence;

        Kind(final String sentence)
        {
            this.sentence = sentence;
        }
    }

    public static Reason of(final Kind kind, final Object... values)
    {
        return new Reason(kind, List.of(values));
    }

    /** What stored verdicts have beside its sentence: the kind, with the condition of a threshold. */
    public String key()
    {
        return Kind.THRESHOLD == kind ? key((String)values.get(0)) : kind.name();
    }

    /** The key of a threshold that failed. */
    public static String key(final String condition)
    {
        return Kind.THRESHOLD + " " + condition;
    }

    public String text()
    {
        return Lines.text(kind.sentence, values.toArray());
    }
}
