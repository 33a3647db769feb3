package io.clusterecho.failover.lab;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.MemberCounters;
import io.clusterecho.control.member.MemberStorage;
import io.clusterecho.media.counters.ServiceCounter;
import io.clusterecho.node.member.MemberSeed;

/** A member without a process. Records the calls to it and fails those that a test names. */
final class FakeMember implements InvocationHandler
{
    final List<String> calls = new ArrayList<>();
    final List<String> failing = new ArrayList<>();
    /** Throw an exception that no member should throw. */
    final List<String> broken = new ArrayList<>();
    final int memberId;
    boolean isAlive = true;
    boolean isImmortal;
    boolean isDyingAtOnce;
    int exitCode = 1;
    /** How often it exits right after its start. */
    int deathCount;
    /** The jar that it was last given, or null. */
    Path jar;
    /** Ends at once when started from this jar. */
    Path failingJar;
    /** What it reports as its version, whatever its jar; null: that of the jar. */
    String reported;
    /** Time in which it loaded its snapshot; 0: it had none. */
    long loadNs = 5_000_000;
    /** From SIGKILL to the end of the process. */
    long lingeringNs;
    long commitPosition = 100;
    String electionState = "closed";
    /** Above 0 after a purge of its log. */
    long logStart;
    private final FakeCluster cluster;
    private long goneNs;

    FakeMember(final int memberId, final FakeCluster cluster)
    {
        this.memberId = memberId;
        this.cluster = cluster;
    }

    ClusterMember proxy()
    {
        return (ClusterMember)Proxy.newProxyInstance(
            FakeMember.class.getClassLoader(), new Class<?>[]{ ClusterMember.class }, this);
    }

    @Override
    public Object invoke(final Object proxy, final Method method, final Object[] arguments) throws Throwable
    {
        final String name = method.getName();
        if (failing.contains(name))
        {
            throw new ControlFailure(ControlFailure.NOT_READY, "member " + memberId + " refuses to " + name);
        }
        if (broken.contains(name))
        {
            throw new IllegalStateException(name + " is broken");
        }
        switch (name)
        {
            case "memberId", "hashCode":
                return memberId;

            case "pid":
                return isAlive ? OptionalLong.of(memberId + 1) : OptionalLong.empty();

            case "isAlive":
                return isAlive || cluster.nowNs < goneNs;

            case "counters":
                return isAlive ? Optional.of(counters()) : Optional.empty();

            case "kill", "terminate":
                calls.add(name);
                isAlive = isImmortal && "kill".equals(name) && calls.stream().filter("kill"::equals).count() < 2;
                goneNs = cluster.nowNs + lingeringNs;
                cluster.onDown(memberId);
                return null;

            case "start":
                calls.add(name);
                if (isAlive || cluster.nowNs < goneNs)
                {
                    throw new ControlFailure(ControlFailure.NOT_READY, "member " + memberId + " runs already");
                }
                isAlive = !isDyingAtOnce && deathCount-- <= 0 && (null == jar || !jar.equals(failingJar));
                cluster.onUp();
                return null;

            case "awaitExit":
                return !isAlive;

            case "disk", "calls", "limitFiles", "impair":
                calls.add("disk".equals(name) ? arguments[0].toString() : name + " " + arguments[0]);
                return null;

            case "pause", "resume", "restoreLink", "cleanUp", "wipe", "releaseCalls", "releaseFiles":
                calls.add(name);
                return null;

            case "storage":
                return new MemberStorage(0, logStart, 1 << 16, 1 << 16, List.of(), 0);

            case "seed":
                return new MemberSeed("127.0.0.1:" + memberId, 0, logStart, List.of(), List.of());

            case "seedAfterPurge":
                return InvocationHandler.invokeDefault(proxy, method, arguments);

            case "putSeed":
                calls.add(name + " " + ((MemberSeed)arguments[0]).archiveEndpoint());
                return null;

            case "useJar":
                jar = (Path)arguments[0];
                calls.add(name + " " + jar);
                return null;

            case "output":
                return List.of(
                    "member " + memberId + " version " + (null != reported ? reported : null == jar ? "1.0" :
                    jar.getParent().getFileName()) + ", commit c0ffee, Aeron 1.51.0",
                    "error: no such class");

            case "exitCode":
                return OptionalInt.of(exitCode);

            case "isRecorded":
                return true;

            case "hostName":
                return "";

            case "logFile":
                return Path.of("/data/member-" + memberId + "/member.log");

            case "toString":
                return "member " + memberId;

            default:
                throw new AssertionError("not expected: " + method);
        }
    }

    private MemberCounters counters()
    {
        return new MemberCounters(
            cluster.leaderId == memberId ? "leader" : "follower", electionState, "active", 1, commitPosition, commitPosition, 0,
            1, Map.of(ServiceCounter.LOAD_TIME, loadNs));
    }
}
