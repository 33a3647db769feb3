package io.clusterecho.failover.lab;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.clusterecho.settings.Quantity;
import io.clusterecho.text.TextTable;

/**
 * The life of a cluster as text.
 */
final class LifeText
{
    private static final double MIB = 1 << 20;

    private record Event(long atNs, String what, String outage, String lasted)
    {
    }

    private LifeText()
    {
    }

    /**
     * A row for each event, and the disk use.
     */
    static String text(final FailoverResult result)
    {
        final LifeResult life = result.life();
        final List<Event> events = Stream.concat(
            result.cycles().stream().map(LifeText::event),
            life.purges().stream().map((purge) -> new Event(
                purge.beginNs(), purge.failure().isEmpty() ? "snapshot and purge" : "purge failed", "",
                Quantity.formatNs(purge.endNs() - purge.beginNs()))))
            .sorted(Comparator.comparingLong(Event::atNs)).toList();
        final TextTable table = new TextTable().right("at").left("event").right("outage").right("complete after");
        events.forEach((event) ->
            table.row(Quantity.formatNs(event.atNs()), event.what(), event.outage(), event.lasted()));
        return String.format(
            Locale.ROOT, "%s%ndisk       at most %.0f MB of members and backup, of %.0f MB allowed%n%n", table.text(),
            life.mostBytes() / MIB, life.plan().diskBytes() / MIB);
    }

    private static Event event(final Cycle cycle)
    {
        final String members = cycle.victims().stream()
            .map((id) -> id + (id == cycle.leaderBefore() ? " (leader)" : " (follower)")).collect(Collectors.joining(" + "));
        return new Event(
            cycle.startNs(), (cycle.isStep() ? "rollout, restart" : cycle.fault().toString()) + " of member " + members,
            Quantity.formatNs(cycle.outageNs()), Quantity.formatNs(cycle.lastPhaseNs()));
    }
}
