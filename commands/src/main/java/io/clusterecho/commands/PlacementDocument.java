package io.clusterecho.commands;

import java.util.List;

import io.clusterecho.client.placement.RoundTrip;
import io.clusterecho.media.zone.Placement;

/** What {@code placement --json} prints. */
record PlacementDocument(String format, String placement, boolean good, List<Measured> roundTrips)
{
    /** A round trip between two zones. */
    record Measured(
        String one, String other, long askedNs, long loopbackNs, long minNs, long medianNs, long p99Ns, long count, boolean good)
    {
        static Measured of(final RoundTrip trip)
        {
            return new Measured(
                trip.one(), trip.other(), trip.askedNs(), trip.loopbackNs(), trip.minNs(), trip.medianNs(), trip.p99Ns(),
                trip.count(), trip.isAsAsked());
        }
    }

    static PlacementDocument of(final Placement placement, final List<RoundTrip> roundTrips, final boolean isAsAsked)
    {
        return new PlacementDocument(
            "cluster-echo-placement/1", placement.text(), isAsAsked, roundTrips.stream().map(Measured::of).toList());
    }
}
