package io.clusterecho.failover.audit;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Collects findings and notes: the first findings of each kind and member in full, the rest as a count. */
final class AuditFindings
{
    static final int KEPT_PER_KIND = 10;

    private final List<AuditReport.Finding> kept = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final Map<FindingKind, Long> counts = new EnumMap<>(FindingKind.class);
    private final Map<String, Integer> keptCounts = new HashMap<>();

    /** A finding that is not about one member. */
    void add(final FindingKind kind, final Long position, final String text)
    {
        add(kind, AuditReport.Finding.ALL_MEMBERS, position, text);
    }

    void add(final FindingKind kind, final Integer memberId, final Long position, final String text)
    {
        counts.merge(kind, 1L, Long::sum);
        if (keptCounts.merge(kind + "/" + memberId, 1, Integer::sum) <= KEPT_PER_KIND)
        {
            kept.add(new AuditReport.Finding(kind, memberId, position, text));
        }
    }

    void count(final FindingKind kind)
    {
        counts.merge(kind, 1L, Long::sum);
    }

    void note(final String text)
    {
        notes.add(text);
    }

    List<AuditReport.Finding> kept()
    {
        return List.copyOf(kept);
    }

    Map<FindingKind, Long> counts()
    {
        return new EnumMap<>(counts);
    }

    List<String> notes()
    {
        return List.copyOf(notes);
    }
}
