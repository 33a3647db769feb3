package io.clusterecho.control.member;

import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Versions of a member: of this project, its commit or unknown, and of Aeron. Each member writes them when it starts. */
public record MemberVersion(String version, String commit, String aeron)
{
    private static final String UNKNOWN = "unknown";
    private static final Pattern LINE = Pattern.compile("member [0-9]+ version (\\S+), commit (\\S+), Aeron (\\S+)");

    static MemberVersion of(final Properties properties)
    {
        return new MemberVersion(
            properties.getProperty("cluster-echo", UNKNOWN), properties.getProperty("commit", UNKNOWN),
            properties.getProperty("aeron", UNKNOWN));
    }

    /** The version of a member's last process; empty if it was never started, or is of a version that does not say it. */
    public static Optional<MemberVersion> of(final ClusterMember member)
    {
        return member.output().stream().map(LINE::matcher).filter(Matcher::matches)
            .map((line) -> new MemberVersion(line.group(1), line.group(2), line.group(3))).findFirst();
    }

    /** The version as text, for instance {@code 0.1.0 (commit 1a2b3c4d) with Aeron 1.51.0}. */
    public String text()
    {
        return version + " (commit " + commit + ") with Aeron " + aeron;
    }
}
