package io.clusterecho.reporting.results;

import io.clusterecho.reporting.results.FailoverAccount.CycleAccount;

/** A cycle that recovered within the bound, to be modified by tests. */
final class CycleBuilder
{
    private final int number;
    private String problem = "";
    private boolean isInterrupted;
    private long expectedNs = SampleEvidence.OUTAGE_BOUND_NS;
    private boolean isElectionUnexpected;
    private long echoesWithoutQuorum;
    private long outageNs = SampleEvidence.OUTAGE_BOUND_NS;
    private long resolutionNs;
    private boolean isSameLeader;
    private boolean isLeaderKilled;
    private long returnedNs = -1;
    private String longestPart = "";

    CycleBuilder(final int number)
    {
        this.number = number;
    }

    CycleBuilder problem(final String text)
    {
        problem = text;
        return this;
    }

    CycleBuilder interrupted()
    {
        isInterrupted = true;
        return this;
    }

    CycleBuilder expectedNs(final long lengthNs)
    {
        expectedNs = lengthNs;
        return this;
    }

    CycleBuilder electionUnexpected()
    {
        isElectionUnexpected = true;
        return this;
    }

    CycleBuilder echoesWithoutQuorum(final long count)
    {
        echoesWithoutQuorum = count;
        return this;
    }

    CycleBuilder outageNs(final long lengthNs)
    {
        outageNs = lengthNs;
        return this;
    }

    CycleBuilder resolutionNs(final long lengthNs)
    {
        resolutionNs = lengthNs;
        return this;
    }

    CycleBuilder longestPart(final String part)
    {
        longestPart = part;
        return this;
    }

    CycleBuilder leaderKilled()
    {
        isLeaderKilled = true;
        return this;
    }

    CycleBuilder sameLeader(final long timeNs)
    {
        isSameLeader = true;
        returnedNs = timeNs;
        return this;
    }

    CycleAccount account()
    {
        return new CycleAccount(
            number, problem, isInterrupted, echoesWithoutQuorum, outageNs, resolutionNs, isSameLeader,
            isLeaderKilled, returnedNs, "one election", expectedNs, isElectionUnexpected, longestPart);
    }
}
