package io.clusterecho.reporting.measurement;

import java.util.List;
import java.util.Locale;

/** A time whose distribution a run records, in ns. */
public enum Time
{
    /** Receive - intended; age at the end of the run for messages without a reply. */
    RESPONSE("response-time"),
    /** Receive - send. */
    SERVICE("service-time"),
    /** Send - intended. */
    SEND_DELAY("send-delay"),
    /** Receive - arrival, of the replies whose arrival is known. */
    RECEIVE_LATENESS("receive-lateness"),
    /**
     * What the client added, at least: at a response time, the sum in ns as the count; empty where there is no system but the
     * client.
     */
    CLIENT_PART("client-part"),
    /** Stalls of the client's process. */
    STALL("stall");

    public static final List<Time> OF_MESSAGES = List.of(RESPONSE, SERVICE, SEND_DELAY, RECEIVE_LATENESS);

    private final String name;

    Time(final String name)
    {
        this.name = name;
    }

    public String label()
    {
        return name.replace('-', ' ');
    }

    /** Start of the names of its columns in tables of intervals. */
    public String column()
    {
        return name.replace("-time", "").replace('-', '_');
    }

    /** Its name in one word. */
    public String key()
    {
        return column().replaceFirst(".*_", "");
    }

    /** Its name in documents. */
    public String field()
    {
        return Counter.camelCase(name.replace('-', '_').toUpperCase(Locale.ROOT)) + "Ns";
    }

    /** File with a histogram of each interval. */
    public String log()
    {
        return name + ".hlog";
    }

    /** File with the percentiles of a run. */
    public String percentiles()
    {
        return name + ".hgrm";
    }
}
