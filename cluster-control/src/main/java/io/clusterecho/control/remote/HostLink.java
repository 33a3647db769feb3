package io.clusterecho.control.remote;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.NodeProtocol;
import io.clusterecho.platform.WaitClock;
import io.clusterecho.process.Launch;
import io.clusterecho.settings.InvalidSettingException;

import org.agrona.LangUtil;

/**
 * Access to the agent on one host: a {@link HostConnection}, opened when first needed, and again after it has ended, because
 * the agent keeps no state that matters between connections. There is one link per host in this process, shared by all
 * clusters. Thread-safe; connections are opened on separate threads.
 */
final class HostLink
{
    /** For requests that only read files. */
    static final long SHORT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    /** For samples: a late one is worth less than the next one. */
    static final long SAMPLE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);
    /** After a host did not answer, requests that do not wait fail at once for this time. */
    static final long SILENCE_NS = TimeUnit.SECONDS.toNanos(5);
    private static final int PINGS = 8;
    private static final Map<InventoryHost, HostLink> LINKS = new ConcurrentHashMap<>();

    private final InventoryHost host;
    private final Launch.Starter starter;
    private final WaitClock clock;
    /** The last connection, or the attempt to open it; null before the first. */
    private CompletableFuture<HostConnection> latest;
    /** Why there is no connection; meaningless while there is one. */
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
        return mapper().createObjectNode().put("do", what);
    }

    ObjectMapper mapper()
    {
        return NodeProtocol.MAPPER;
    }

    /**
     * Send a request and wait for the answer, opening a connection first if needed: up to
     * {@link HostConnection#CONNECT_TIMEOUT_NS} more. Restores an interrupt afterwards.
     *
     * @param timeoutNs maximum wait for the answer.
     * @throws ControlFailure            if the host does not answer, or the request failed there.
     * @throws InvalidSettingException if the host rejected an option or a setting, or has another build.
     */
    JsonNode ask(final ObjectNode request, final long timeoutNs)
    {
        return result(connection()).ask(request, timeoutNs);
    }

    /**
     * Send a request whose answer is worth little when it comes late. The timeout includes opening the connection, and after a
     * host did not answer, requests fail at once for {@link #SILENCE_NS}.
     *
     * @param timeoutNs maximum wait for connection and answer.
     * @throws ControlFailure            if the host does not answer in time.
     * @throws InvalidSettingException if the host rejected an option or a setting, or has another build.
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
     * Offset to add to {@link System#nanoTime()} of that host to get that of this machine, from the fastest of some round trips
     * now.
     *
     * @return the offset and its largest error.
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

    /** The connection, or the attempt to open one, which is started if there is neither. */
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
                // Its process has ended, but a process that keeps its output open may block its threads.
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
