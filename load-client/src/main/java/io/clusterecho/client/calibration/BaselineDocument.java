package io.clusterecho.client.calibration;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.host.SyncTimes;
import io.clusterecho.reporting.document.Provenance;
import io.clusterecho.reporting.document.StoredVerdict;
import io.clusterecho.reporting.results.CalibrationNote;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.Times;

/**
 * A baseline: {@code baseline.json} in its folder, and the output of {@code calibrate --only machine --json}. Parts that were
 * not measured are left out.
 *
 * @param timer of documents until 2026-11-29: sleeps; also {@code copy}, copies of memory.
 */
public record BaselineDocument(
    String format, String label, String start, StoredVerdict verdict, long lengthBytes, Long ratePerSecondAsked,
    List<UdpRoundTrip> udp, Sync sync, JsonNode timer, JsonNode copy, CalibrationNote calibration,
    @JsonUnwrapped Provenance provenance)
{
    /** Syncs of a page to disk. */
    public record Sync(String folder, String store, String type, Integer pageLengthBytes, Times dataNs, Times allNs)
    {
        static Sync of(final SyncTimes sync)
        {
            return null == sync ? null : new Sync(
                sync.place().folder(), sync.place().store(), sync.place().type(), SyncTimes.PAGE_LENGTH_BYTES,
                Times.of(sync.data()), Times.of(sync.all()));
        }
    }

    boolean hasRoundTrips(final String idle)
    {
        return roundTrip(idle).filter((one) -> one.quietServiceTimeNs() > 0).isPresent();
    }

    /**
     * The floor of a replicated round trip with an idle strategy of its round trips, in ns.
     *
     * @param fsyncLevel of the cluster, 0 to 2.
     */
    long floorNs(final String idle, final int fsyncLevel, final int memberCount)
    {
        final UdpRoundTrip one = roundTrip(idle).orElseThrow();
        return floorNs(one.quietResponseTimeNs(), one.quietServiceTimeNs(), syncNs(fsyncLevel), memberCount);
    }

    /**
     * The least possible time of a replicated round trip on a machine, in ns: the sum of the critical path, which {@code
     * docs/DIAGNOSIS.md} derives.
     * <pre>
     *   client ──▶ leader ──▶ follower                     one way each
     *                         write, sync                  at file sync levels 1 and 2; in parallel with the leader's
     *   client ◀── leader ◀── follower                     one way each
     * </pre>
     *
     * @param responseTimeNs of a datagram's round trip from its intended send time: client and leader, in ns.
     * @param serviceTimeNs  of a datagram's round trip from its send time: leader and follower, in ns.
     * @param syncNs         of one page, in ns; 0 if replies do not wait for a sync.
     * @throws IllegalArgumentException for a negative time, or no member.
     */
    static long floorNs(final long responseTimeNs, final long serviceTimeNs, final long syncNs, final int memberCount)
    {
        if (responseTimeNs < 0 || serviceTimeNs < 0 || syncNs < 0 || memberCount < 1)
        {
            throw new IllegalArgumentException(
                "responseTimeNs=" + responseTimeNs + ", serviceTimeNs=" + serviceTimeNs + ", syncNs=" + syncNs +
                ", memberCount=" + memberCount + ": times must be at least 0 and members at least 1");
        }

        return responseTimeNs + (1 == memberCount ? 0 : serviceTimeNs) + syncNs;
    }

    private Optional<UdpRoundTrip> roundTrip(final String idle)
    {
        return udp.stream().filter((one) -> idle.equals(one.idle())).findFirst();
    }

    /** Median time in ns that a file sync level waits for; 0 for level 0 or if not measured. */
    long syncNs(final int fsyncLevel)
    {
        return 0 == fsyncLevel || null == sync ? 0 :
            Objects.requireNonNullElse((1 == fsyncLevel ? sync.dataNs() : sync.allNs()).at(Percentile.P50), 0L);
    }
}
