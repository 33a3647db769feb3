package io.clusterecho.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.clusterecho.host.CpuList;
import io.clusterecho.host.HostFiles;
import io.clusterecho.testing.Need;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class AgentThreadsTest
{
    private static final long TIMEOUT_S = 60;

    private final BlockingQueue<String> outcomes = new ArrayBlockingQueue<>(8);
    private final CountDownLatch end = new CountDownLatch(1);
    private final List<Thread> started = new ArrayList<>();
    private SortedSet<Integer> allowed;
    private AgentThreads threads;

    @BeforeEach
    void findProcessors()
    {
        allowed = AgentThreads.allowed(HostFiles.ofThisMachine());
    }

    @AfterEach
    void endThreads() throws IOException, InterruptedException
    {
        end.countDown();
        for (final Thread thread : started)
        {
            thread.join();
        }
        // For later tests in this process.
        for (final long id : AgentThreads.KernelThreads.all())
        {
            try
            {
                AgentThreads.KernelThreads.pin(id, allowed);
            }
            catch (final IOException ex)
            {
                // It ended after they were listed.
                continue;
            }
        }
    }

    @Test
    void shouldKeepEachAgentOnItsProcessor() throws IOException, InterruptedException
    {
        final int one = allowed.first();
        final int other = allowed.last();
        final List<Long> ids = start(List.of("first", "second"), List.of(one, other), List.of());
        assertThat(outcomes.poll(TIMEOUT_S, TimeUnit.SECONDS))
            .isEqualTo("first on processor " + one + ", second on processor " + other);
        assertThat(allowedOf(ids.get(0))).containsExactly(one);
        assertThat(allowedOf(ids.get(1))).containsExactly(other);
    }

    @Test
    void shouldKeepOthersOffAnAgentsProcessor() throws IOException, InterruptedException
    {
        Need.TWO_PROCESSORS.check(allowed.size() > 1, "one processor alone may be used: " + allowed);
        final int own = allowed.last();
        final long id = start(List.of("agent"), List.of(own), List.of(own)).get(0);
        final SortedSet<Integer> others = new TreeSet<>(allowed.headSet(own));
        assertThat(outcomes.poll(TIMEOUT_S, TimeUnit.SECONDS))
            .isEqualTo("agent on processor " + own + ", all others on " + CpuList.format(others));
        for (final long threadId : AgentThreads.KernelThreads.all())
        {
            if (threadId != id && Files.exists(Path.of("/proc/self/task", String.valueOf(threadId))))
            {
                assertThat(allowedOf(threadId)).as("thread %s", threadId).doesNotContain(own);
            }
        }

        threads.release();
        assertThat(allowedOf(AgentThreads.KernelThreads.current())).as("this thread, released").isEqualTo(allowed);
        assertThat(allowedOf(id)).as("the agent, released").isEqualTo(allowed);
    }

    @Test
    void shouldMoveAnAgent() throws IOException, InterruptedException
    {
        final long id = start(List.of("agent"), List.of(allowed.first()), List.of()).get(0);
        assertThat(outcomes.poll(TIMEOUT_S, TimeUnit.SECONDS)).isEqualTo("agent on processor " + allowed.first());
        assertThat(threads.move(allowed.last())).isTrue();
        assertThat(allowedOf(id)).containsExactly(allowed.last());
    }

    @Test
    void shouldSayWhyThreadsCouldNotBePlaced() throws InterruptedException
    {
        final int missing = 4_000;
        start(List.of("agent"), List.of(missing), List.of());
        assertThat(outcomes.poll(TIMEOUT_S, TimeUnit.SECONDS))
            .startsWith("not all threads could be pinned: sched_setaffinity");
    }

    @Test
    void shouldTellNothingWhereNothingIsAskedFor() throws InterruptedException
    {
        start(List.of("agent"), List.of(), List.of());
        assertThat(outcomes.poll(1, TimeUnit.SECONDS)).isNull();
    }

    private List<Long> start(final List<String> names, final List<Integer> cpus, final List<Integer> reserved)
        throws InterruptedException
    {
        threads = new AgentThreads(names, cpus, new TreeSet<>(reserved), outcomes::add);
        final BlockingQueue<Long> ids = new ArrayBlockingQueue<>(names.size());
        final List<Long> inOrder = new ArrayList<>();
        for (int i = 0; i < names.size(); i++)
        {
            final Thread thread = threads.factory(i).newThread(() -> run(ids));
            started.add(thread);
            thread.start();
            inOrder.add(ids.poll(TIMEOUT_S, TimeUnit.SECONDS));
        }

        return inOrder;
    }

    private void run(final BlockingQueue<Long> ids)
    {
        try
        {
            ids.add(AgentThreads.KernelThreads.current());
            end.await();
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException(ex);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private static SortedSet<Integer> allowedOf(final long threadId) throws IOException
    {
        final Path status = Path.of("/proc/self/task", String.valueOf(threadId)).resolve("status");
        return Files.readAllLines(status).stream().filter((line) -> line.startsWith("Cpus_allowed_list:"))
            .map((line) -> CpuList.parse(line.substring(line.indexOf(':') + 1).trim())).findFirst().orElseThrow();
    }
}
