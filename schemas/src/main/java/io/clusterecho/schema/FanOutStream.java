package io.clusterecho.schema;

/**
 * The egress stream by which a session asks for a copy of each reply: the service sends one to every session whose egress has
 * this stream id. Who receives copies is thus part of the session itself, which all members know after any failover or
 * restart, and not of the state of the service.
 */
public final class FanOutStream
{
    /** Stream id of the egress of a receiver; not used by anything else in Aeron Cluster. */
    public static final int ID = 1102;

    private FanOutStream()
    {
    }
}
