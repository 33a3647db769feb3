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
    private static final String NONE = "-";

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
        final TextTable table = new TextTable().right("since the start").left("event").right("outage").right("complete after");
        events.forEach((event) ->
            table.row(Quantity.formatNs(event.atNs()), event.what(), event.outage(), event.lasted()));
        return String.format(
            Locale.ROOT, "%s%ndisk       at most %.0f MiB of members and backup, of %.0f MiB allowed%n%n", table.text(),
            life.mostBytes() / MIB, life.plan().diskBytes() / MIB);
    }

    /**
     * A fault that was not injected has no outage, and one without recovery has no end.
     */
    private static Event event(final Cycle cycle)
    {
        final String what = cycle.isStep() ? "rollout, restart" : cycle.fault().toString();
        if (!cycle.isInjected())
        {
            return new Event(cycle.startNs(), what + ", not injected", NONE, NONE);
        }

        final String members =
            cycle.victims().stream().map((id) -> id + FailoverText.role(cycle, id)).collect(Collectors.joining(" + "));
        return new Event(
            cycle.startNs(), what + " of member " + members, Quantity.formatNs(cycle.outageNs()),
            cycle.isRecovered() ? Quantity.formatNs(cycle.lastPhaseNs()) : NONE);
    }
}
