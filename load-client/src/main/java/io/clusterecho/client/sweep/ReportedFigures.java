package io.clusterecho.client.sweep;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.clusterecho.client.run.TransportNames;
import io.clusterecho.client.transport.TransportKind;
import io.clusterecho.media.zone.Placement;
import io.clusterecho.reporting.published.Experiment;
import io.clusterecho.reporting.published.PublishedFigure;
import io.clusterecho.reporting.published.PublishedRatio;
import io.clusterecho.reporting.results.Threshold;
import io.clusterecho.settings.InvalidSettingException;

/** The figures of a test in a public report that a sweep repeats, by its key {@code published}. */
record ReportedFigures(SweepRecord sweep)
{
    private static final String DRIVER = "{driver}";
    private static final String THROUGHPUT = "throughput";
    private static final String PRICE_LENGTH = "28";
    private static final String DEMAND_KEY = "peer.demand";
    private static final String DEFAULT_MTU = "1408";
    private static final String CONSTANT = "constant";
    private static final String C_DRIVER = "c";
    private static final String ONE = "1";
    /** The scripts of the guide to measuring Aeron on AWS set all three by one variable. */
    private static final String REPORTED_VECTOR = "2";
    /** No report states a length of its small messages; longer ones are not called small here. */
    private static final int MAX_PING_LENGTH = 64;
    /** What an experiment says, and what follows from the processors. */
    private static final Set<Dimension> OF_THE_EXPERIMENT = EnumSet.of(
        Dimension.TRANSPORT, Dimension.MEMBERS, Dimension.PLACEMENT, Dimension.DRIVER, Dimension.PROFILE, Dimension.FSYNC,
        Dimension.MTU, Dimension.HEAP, Dimension.LOAD, Dimension.IN_FLIGHT, Dimension.CONNECTIONS, Dimension.IDLE,
        Dimension.SIZE, Dimension.RATE);
    /** Placements of the guide by those of our results: on one machine there is one. */
    private static final Map<String, String> PLACEMENTS = Map.of(
        Placement.NONE, "cluster-placement", Placement.CLUSTER, "cluster-placement", Placement.PARTITION,
        "partition-placement");
    /** What the setups of one test differ by. */
    private static final Pattern SETUP = Pattern.compile("(\\w+) concurrent requests$|heap (\\w+)$|^([a-z]+-placement)$");

    /** Reject a text that names no source and test. */
    static void check(final String published)
    {
        InvalidSettingException.throwIf(
            figures(published).findAny().isEmpty(), "published", published,
            "source and test of results/published/published.csv, as in acapelladb size-sweep");
    }

    private static Stream<PublishedFigure> figures(final String published)
    {
        return PublishedFigure.all().stream().filter((figure) -> published.equals(figure.source() + " " + figure.test()));
    }

    /** The published ratio to put beside that of two cells, with what differs if the report did not measure the same. */
    PublishedRatio ratio(final Cell cell, final Cell base, final String metric)
    {
        final Optional<PublishedFigure> own = figure(cell, metric);
        final Optional<PublishedFigure> other = figure(base, metric);
        if (own.isEmpty() || other.isEmpty() || own.equals(other))
        {
            return PublishedRatio.NONE;
        }

        final PublishedRatio ratio =
            PublishedRatio.of(side(cell, own.get(), metric), side(base, other.get(), metric), others(cell, base));
        // The reports contain the time of the last price instead of a rate; all systems sent the same number.
        return isStream(cell) && Ratio.RATE.equals(metric) ? ratio.inverse() : ratio;
    }

    private Optional<PublishedFigure> figure(final Cell cell, final String metric)
    {
        final boolean isSomewhere = Placement.NONE.equals(cell.value(Dimension.PLACEMENT)) &&
            sweep.description.configuration().containsKey("inventory");
        final String key = SweepPlan.PUBLISHED + "@" + cell.value(Dimension.TRANSPORT);
        return Optional.ofNullable(isSomewhere ? null : sweep.plan().ofTransports().get(key))
            .map((system) -> system.replace(DRIVER, cell.value(Dimension.DRIVER)))
            .flatMap((system) -> Stream.of(length(cell), "").flatMap((length) -> figures(sweep.plan().published()).filter(
            (figure) -> figure.system().equals(system) && isOf(cell, figure.setup()) && figure.lengthBytes().equals(length) &&
            figure.metric().equals(name(cell, metric)))).findFirst());
    }

    private static String name(final Cell cell, final String metric)
    {
        return !Ratio.RATE.equals(metric) ? metric : isStream(cell) ? "max" : !cell.isSearch() ? THROUGHPUT :
            "max_rate_p99_below_" + (Placement.PARTITION.equals(cell.value(Dimension.PLACEMENT)) ? "10ms" : "1ms");
    }

    private static boolean isOf(final Cell cell, final String setup)
    {
        final Matcher part = SETUP.matcher(setup);
        return !part.find() ||
            String.valueOf(cell.count(Dimension.IN_FLIGHT)).equals(part.group(1)) ||
            cell.value(Dimension.HEAP).equals(part.group(2)) ||
            PLACEMENTS.getOrDefault(cell.value(Dimension.PLACEMENT), "").equals(part.group(3));
    }

    private static boolean isStream(final Cell cell)
    {
        return cell.value(Dimension.LOAD).startsWith(Cell.PRICES);
    }

    private PublishedRatio.Side side(final Cell cell, final PublishedFigure figure, final String metric)
    {
        final TransportKind kind = TransportNames.kind(cell.value(Dimension.TRANSPORT));
        final Experiment ours = null == kind ? ofCluster(cell) : kind.experiment(isStream(cell));
        final boolean isPing =
            Experiment.PING.equals(figure.experiment().content()) && Integer.parseInt(length(cell)) <= MAX_PING_LENGTH;
        final Map<String, String> settings = new HashMap<>(ours.settings());
        if (null != kind && PeerSystem.has(kind, Dimension.MTU))
        {
            final String mtu = cell.value(Dimension.MTU);
            settings.put(Experiment.MTU, Dimension.AUTO.equals(mtu) ? DEFAULT_MTU : mtu);
        }
        if (isStream(cell) && PeerSystem.has(kind, DEMAND_KEY))
        {
            settings.put(Experiment.DEMAND, sweep.plan().settings(kind).getOrDefault(DEMAND_KEY, "not set"));
        }
        final String name = name(cell, metric);
        final String condition = Threshold.join(sweep.plan().conditions()).replace(" ", "").toLowerCase(Locale.ROOT);
        return new PublishedRatio.Side(new Experiment(
            ours.system().replace(DRIVER, cell.value(Dimension.DRIVER)),
            isStream(cell) ? Experiment.SERVER_STREAM : TransportKind.ONE_WAY.equals(cell.value(Dimension.LOAD)) ?
            Experiment.ONE_WAY : ours.callStyle(), isPing ? Experiment.PING : ours.content(), length(cell), load(cell),
            cell.isSearch() ? Experiment.highestRate(condition) :
            THROUGHPUT.equals(name) ? Experiment.THROUGHPUT : name, settings), figure);
    }

    private static Experiment ofCluster(final Cell cell)
    {
        return new Experiment(
            "cluster of " + cell.value(Dimension.MEMBERS) + " members, " + DRIVER + " driver, file sync level " +
            cell.value(Dimension.FSYNC) + ", MTU " + cell.value(Dimension.MTU) + ", " +
            PLACEMENTS.get(cell.value(Dimension.PLACEMENT)), Experiment.REQUEST_RESPONSE, Experiment.BYTES, "", "", "", Map.of());
    }

    private static String length(final Cell cell)
    {
        return isStream(cell) ? PRICE_LENGTH : cell.value(Dimension.SIZE);
    }

    private String load(final Cell cell)
    {
        final String load = cell.value(Dimension.LOAD);
        if (cell.isSearch())
        {
            return "search";
        }
        if (cell.isAtARate())
        {
            final String arrivals = sweep.description.configuration().getOrDefault("arrivals", CONSTANT);
            return Experiment.openLoop(String.valueOf(sweep.ratePerSecond(cell))) +
                (CONSTANT.equals(arrivals) ? "" : ", " + arrivals + " arrivals");
        }

        return isStream(cell) ? Experiment.prices(Long.parseLong(load.substring(Cell.PRICES.length()))) :
            TransportKind.ONE_WAY.equals(load) ? Experiment.FULL_SPEED :
            Dimension.AUTO.equals(cell.value(Dimension.CONNECTIONS)) ?
            Experiment.closedLoop(cell.allInFlight()) :
            "closed loop, " + cell.count(Dimension.CONNECTIONS) + " connections, " + cell.count(Dimension.IN_FLIGHT) +
            " in flight on each, heaps of " + cell.value(Dimension.HEAP);
    }

    /** What the cells have besides that the report has not; a phrase for each. */
    private Set<String> others(final Cell... cells)
    {
        final Set<String> differences = new LinkedHashSet<>();
        for (final Cell cell : cells)
        {
            cell.values().forEach((dimension, value) ->
            {
                if (Dimension.VECTORS.contains(dimension))
                {
                    if (C_DRIVER.equals(cell.value(Dimension.DRIVER)) && !REPORTED_VECTOR.equals(value))
                    {
                        differences.add(dimension.key() + ": " + value + " here, " + REPORTED_VECTOR + " in the report");
                    }
                }
                else if (!OF_THE_EXPERIMENT.contains(dimension) && !dimension.isDefault(value))
                {
                    differences.add(dimension.key() + ": " + value + " here, not in the report");
                }
            });
        }
        final String batch = sweep.description.configuration().getOrDefault("batch", ONE);
        if (!ONE.equals(batch))
        {
            differences.add("batch: " + batch + " here, " + ONE + " in the report");
        }
        return differences;
    }
}
