package io.clusterecho.attribution;

import java.util.Locale;

import com.fasterxml.jackson.annotation.JsonProperty;

/** A part of a message's response time, in the order of its path. The parts of a message add up to that time. */
public enum Part
{
    /** From when it is due until the client hands it to its driver. */
    @JsonProperty("sendDelayNs")
    SEND_DELAY,
    /** In place of the send delay where the transport did not accept the message, or one before it, when it was due. */
    @JsonProperty("backPressureNs")
    BACK_PRESSURE,
    /** What no time divides: without stage times all between, with those of another clock both ways together. */
    @JsonProperty("unknownNs")
    UNKNOWN,
    /** Until the leader reads it from its ingress. */
    @JsonProperty("toLeaderNs")
    TO_LEADER,
    /** Until the leader's archive has recorded it. */
    @JsonProperty("logNs")
    LOG,
    /** Until it is committed. */
    @JsonProperty("quorumNs")
    QUORUM,
    /** Until it is delivered to the leader's service. */
    @JsonProperty("toServiceNs")
    TO_SERVICE,
    /** Until the reply is in the client's socket, or where that is not known, until the client takes it. */
    @JsonProperty("toClientNs")
    TO_CLIENT,
    /** From the client's socket until the client takes it. */
    @JsonProperty("receiveLatenessNs")
    RECEIVE_LATENESS;

    /** Name for people. */
    public String label()
    {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
