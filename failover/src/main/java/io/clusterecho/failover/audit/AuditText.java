package io.clusterecho.failover.audit;

import static io.clusterecho.text.Lines.line;

import io.clusterecho.text.Lines;

/** An audit report as text. */
public final class AuditText
{
    /** The report in several lines, each with a line end. */
    public static String text(final AuditReport report)
    {
        final StringBuilder out = new StringBuilder();
        line(out, report.isClean() ? "CLEAN" : "NOT CLEAN: %,d findings", report.findingCount());
        report.findings().forEach((finding) -> line(out, "  %-18s %s", finding.kind().label(), finding.text()));
        report.findingCounts().forEach((kind, count) ->
        {
            final long shown = report.findings().stream().filter((finding) -> finding.kind() == kind).count();
            if (count > shown)
            {
                line(out, "  %-18s and %,d more", kind.label(), count - shown);
            }
        });

        line(out, "");
        report.members().forEach((member) -> line(out, "%s", text(member)));
        putLog(out, report.log());
        if (report.journal().journalCount() > 0)
        {
            putJournal(out, report.journal(), report.log().isOwnService());
        }
        else
        {
            line(out, "no journal was given: the members' logs were only compared with each other");
        }
        report.notes().forEach((note) -> line(out, "note: %s", note));

        return out.toString();
    }

    private static String text(final AuditReport.Member member)
    {
        return !member.hasLog() ? "member " + member.memberId() + ": no log" : Lines.text(
            "member %d: positions %,d to %,d%s, %,d entries, %,d checksum errors, %s, %d snapshots, %d state digests",
            member.memberId(), member.startPosition(), member.endPosition(),
            member.isOpen() ? " (running or killed)" : "", member.entryCount(), member.badChecksumCount(),
            0 == member.tailLength() ? "no uncommitted tail" : Lines.text(
                "uncommitted tail of %,d entries in %,d bytes", member.tailEntryCount(), member.tailLength()),
            member.snapshotCount(), member.stateCount());
    }

    private static void putLog(final StringBuilder out, final AuditReport.Log log)
    {
        line(
            out, "committed on %d members up to position %,d: %,d entries, %,d of them messages",
            log.majority(), log.committedPosition(), log.entryCount(), log.entryCounts().get(EntryKind.SESSION_MESSAGE));
        line(
            out,
            "  applied %,d, duplicates ignored %,d, too early %,d, gaps %,d, rejected %,d, truncated by an election %,d",
            log.applied(), log.repeated(), log.tooEarly(), log.gaps(), log.refused(), log.cutMessages());
        line(out, "  %,d clients, checksum over all of them %s", log.clients().size(), log.checksum());
    }

    private static void putJournal(final StringBuilder out, final AuditReport.Journal journal, final boolean isOwnService)
    {
        line(
            out, "journals: %d%s, %,d clients, %,d messages sent, %,d resends",
            journal.journalCount(), journal.isComplete() ? "" : " (incomplete)", journal.clientCount(), journal.sent(),
            journal.resent());
        line(
            out, "  acknowledged %,d = on a majority %,d%s + lost %,d; %s twice %,d",
            journal.acknowledged(), journal.acknowledgedInMajority(), purged(journal, isOwnService), journal.acknowledgedLost(),
            isOwnService ? "committed" : Lines.text("answered as repeated %,d, applied", journal.repeatedReplies()),
            journal.appliedTwice());
        line(
            out, "  unanswered %,d = on a majority %,d%s + only on a minority %,d + in no log %,d",
            journal.sent() - journal.acknowledged(), journal.unansweredInLog(),
            0 == journal.unansweredPurged() ? "" :
                Lines.text(" + unknown, before a purged log begins %,d", journal.unansweredPurged()),
            journal.unansweredInTail(), journal.unansweredLost());
        line(out, "  sent but not on a majority: %,d", journal.lost());
    }

    /** Only after a purge, so that other reports stay as they are. */
    private static String purged(final AuditReport.Journal journal, final boolean isOwnService)
    {
        return 0 == journal.acknowledgedInSnapshot() + journal.acknowledgedPurged() ? "" : isOwnService ?
            Lines.text(" + not known, purged %,d", journal.acknowledgedPurged()) : Lines.text(
            " + purged and proven by the checksum of a snapshot %,d + purged and only counted by it %,d",
            journal.acknowledgedInSnapshot(), journal.acknowledgedPurged());
    }
}
