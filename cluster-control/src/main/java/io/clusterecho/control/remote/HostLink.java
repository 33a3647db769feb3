package io.clusterecho.control.remote;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.platform.WaitClock;
import io.clusterecho.process.Launch;
import io.clusterecho.settings.InvalidSettingException;

import org.agrona.LangUtil;

/**
 * The way to the agent on one host: a {@link HostConnection}, made when it is first needed, and again when it has ended, since
 * the agent there keeps nothing that matters beyond one. There is one link for each host in this process, whatever number of
 * clusters it is used for. Any thread may ask; connections are made on threads of their own.
 */
final class HostLink
{
    /** For what takes no longer than a look at files. */
    static final long SHORT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    /** For samples: one that comes late is worth less than the next. */
    static final long SAMPLE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);
    /** For what decides whether a host is there. */
    static final long SILENCE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);
    /** How long a host that did not answer is not asked by those who do not wait for it. */
    static final long SILENCE_NS = TimeUnit.SECONDS.toNanos(5);
    private static final int PINGS = 8;
    private static final Map<InventoryHost, HostLink> LINKS = new ConcurrentHashMap<>();

    /** What a record derives from its components is written too, and passed over here. */
    private final ObjectMapper mapper =
        new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
    private final InventoryHost host;
    private final Launch.Starter starter;
    private final WaitClock clock;
    /** The last connection, or the attempt to make it; null before the first. */
    private CompletableFuture<HostConnection> latest;
    /** Why there is no connection; without meaning while there is one. */
    private volatile Silence silence;

    HostLink(final InventoryHost host, final Launch.Starter starter, final WaitClock clock)
    {
        this.host = host;
        this.starter = starter;
        this.clock = clock;
    }

    static HostLink to(final InventoryHost host)
    {
        return LINKS.computeIfAbsent(host, (key) -> new HostLink(key, ProcessBuilder::start, WaitClock.SYSTEM));
    }

    InventoryHost host()
    {
        return host;
    }

    Launch.Starter starter()
    {
        return starter;
    }

    ObjectNode newRequest(final String what)
    {
        return mapper.createObjectNode().put("do", what);
    }

    ObjectMapper mapper()
    {
        return mapper;
    }

    /**
     * Have the agent do something, and wait until it has, and before that until there is a connection: up to
     * {@link HostConnection#CONNECT_TIMEOUT_NS} more. An interrupt is kept for later.
     *
     * @param request   to send.
     * @param timeoutNs to wait at most for the answer.
     * @throws ControlFailure            if the host does not answer, or could not do it.
     * @throws InvalidSettingException if it was told something that cannot be used there, or is of another build.
     */
    JsonNode ask(final ObjectNode request, final long timeoutNs)
    {
        return result(connection()).ask(request, timeoutNs);
    }

    /**
     * Have the agent tell something that is worth little when it comes late. The connection is part of what is waited for, and
     * a host that did not answer is not asked again for {@link #SILENCE_NS}: that fails at once.
     *
     * @param request   to send.
     * @param timeoutNs to wait at most for connection and answer.
     * @throws ControlFailure            if the host does not answer at once.
     * @throws InvalidSettingException if it was told something that cannot be used there, or is of another build.
     */
    JsonNode askAtOnce(final ObjectNode request, final long timeoutNs)
    {
        final long deadlineNs = clock.nanoTime() + timeoutNs;
        checkNotSilent();
        final CompletableFuture<HostConnection> attempt = connection();
        if (!clock.await(attempt, deadlineNs))
        {
            final ControlFailure failure =
                host.failure("no connection within " + TimeUnit.NANOSECONDS.toMillis(timeoutNs) + " ms");
            silence = new Silence(clock.nanoTime(), failure);
            throw failure;
        }

        return result(attempt).ask(request, deadlineNs - clock.nanoTime());
    }

    private void checkNotSilent()
    {
        final Silence present;
        synchronized (this)
        {
            present = isConnected() ? latest.join().silence() : silence;
        }
        if (null != present && clock.nanoTime() - present.sinceNs() < SILENCE_NS)
        {
            LangUtil.rethrowUnchecked(present.reason());
        }
    }

    /**
     * What to add to a time of {@link System#nanoTime()} on that host to have one of this machine, as the quickest of some
     * exchanges tells it now.
     *
     * @return the offset in ns, and how far off it may be.
     */
    HostClockOffset clockOffset()
    {
        HostClockOffset best = null;
        for (int i = 0; i < PINGS; i++)
        {
            final long sentNs = clock.nanoTime();
            final long thereNs = ask(newRequest("ping"), SHORT_TIMEOUT_NS).path("nowNs").asLong();
            final HostClockOffset offset = HostClockOffset.of(sentNs, thereNs, clock.nanoTime());
            best = null == best || offset.errorNs() < best.errorNs() ? offset : best;
        }

        return best;
    }

    /**
     * The connection, or the attempt to make one, which is begun if there is neither.
     */
    private synchronized CompletableFuture<HostConnection> connection()
    {
        if (null == latest || latest.isDone() && !isConnected())
        {
            final CompletableFuture<HostConnection> ended = latest;
            final CompletableFuture<HostConnection> attempt = new CompletableFuture<>();
            HostConnection.daemon("connect-" + host.name(), () -> connect(ended, attempt)).start();
            latest = attempt;
        }

        return latest;
    }

    private boolean isConnected()
    {
        return null != latest && latest.isDone() && !latest.isCompletedExceptionally() && latest.join().isOpen();
    }

    private void connect(
        final CompletableFuture<HostConnection> ended, final CompletableFuture<HostConnection> attempt)
    {
        try
        {
            if (null != ended && !ended.isCompletedExceptionally())
            {
                // Its process has ended, but who holds its output open may keep its threads.
                ended.join().close();
            }
            attempt.complete(HostConnection.open(host, starter, clock));
        }
        catch (final RuntimeException | Error ex)
        {
            silence = new Silence(clock.nanoTime(), ex);
            attempt.completeExceptionally(ex);
        }
    }

    private static HostConnection result(final CompletableFuture<HostConnection> attempt)
    {
        try
        {
            return attempt.join();
        }
        catch (final CompletionException ex)
        {
            LangUtil.rethrowUnchecked(ex.getCause());
            throw ex;
        }
    }
}
