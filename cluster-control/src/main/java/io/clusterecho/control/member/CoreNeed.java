package io.clusterecho.control.member;

import java.util.Locale;

import io.clusterecho.node.member.Profile;
import io.clusterecho.text.Lines;

/** Cores of one host that the threads of members and load clients need to carry messages without waiting for each other. */
public record CoreNeed(Profile profile, int memberCount, int clientCount)
{
    private static final int THREADS_PER_CLIENT = 2;
    /** For interrupts, other programs and the JVM's own threads. */
    private static final int CORES_OF_THE_SYSTEM = 1;

    public int threadCount()
    {
        return memberCount * profile.threadCount() + clientCount * THREADS_PER_CLIENT;
    }

    public int coreCount()
    {
        return threadCount() + CORES_OF_THE_SYSTEM;
    }

    /** What is short of cores: {@code 2 processors for 3 members of profile dedicated and 1 load client}. */
    public String found(final int usable)
    {
        return Lines.plural(usable, "processor") + " for " + users();
    }

    public String users()
    {
        return Lines.plural(memberCount, "member") + " of profile " + profile.name().toLowerCase(Locale.ROOT) + " and " +
            Lines.plural(clientCount, "load client");
    }

    public String wanted()
    {
        return coreCount() + ": " + profile.threadCount() + " for each member, " + THREADS_PER_CLIENT + " for each client, " +
            CORES_OF_THE_SYSTEM + " for the system" + (profile.isSpinning() ?
            ", because spinning threads otherwise wait for each other's time slices" :
            "; with fewer, response times measure the scheduler as well as Aeron");
    }

    public String fix(final int usable)
    {
        return Profile.COMPACT == profile ? "run fewer members or clients on this host" : "scripts/start-cluster.sh --profile " +
            (profile.isSpinning() && usable >= Profile.SHARED.threadCount() * memberCount ? "shared" : "compact");
    }
}
