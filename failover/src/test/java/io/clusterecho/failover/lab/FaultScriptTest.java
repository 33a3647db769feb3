package io.clusterecho.failover.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Deadline;

/** Faults injected by shell scripts. */
@Timeout(60)
class FaultScriptTest
{
    @TempDir
    private Path dir;

    @Test
    void shouldCallTheScriptWithActionMemberAndProcess() throws IOException
    {
        final Path calls = dir.resolve("calls");
        final FaultScript script = script("echo \"$@\" >> " + calls);

        script.run("inject", member());
        script.run("undo", member());

        assertThat(calls).hasContent("inject 2 77\nundo 2 77");
    }

    @Test
    void shouldPrintItsOutputAsErrorsOfThisProcess() throws IOException
    {
        final PrintStream console = System.err;
        final ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try
        {
            script("echo cut; echo noisy >&2").run("inject", member());
            assertThat(Deadline.in(TimeUnit.SECONDS.toNanos(30)).await(() ->
                printed.toString(StandardCharsets.UTF_8).lines().toList().containsAll(List.of("cut", "noisy")))).isTrue();
        }
        finally
        {
            System.setErr(console);
        }
    }

    @Test
    void shouldFailWithTheStatusOfTheScript() throws IOException
    {
        final FaultScript script = script("exit 3");
        assertThatThrownBy(() -> script.run("inject", member())).isInstanceOf(ControlFailure.class)
            .hasMessage(script.file() + " inject 2 77: exit status 3");
    }

    @Test
    void shouldFailWhenTheScriptIsGone() throws IOException
    {
        final FaultScript script = script("exit 0");
        Files.delete(script.file());
        assertThatThrownBy(() -> script.run("undo", member())).isInstanceOf(ControlFailure.class)
            .hasMessage(script.file() + " undo 2 77: no such program: " + script.file());
    }

    private FaultScript script(final String line) throws IOException
    {
        final Path file = Files.writeString(dir.resolve("script.sh"), "#!/bin/sh\n" + line + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        return new FaultScript(file);
    }

    private static ClusterMember member()
    {
        return (ClusterMember)Proxy.newProxyInstance(
            FaultScriptTest.class.getClassLoader(), new Class<?>[]{ ClusterMember.class },
            (proxy, method, arguments) -> "pid".equals(method.getName()) ? OptionalLong.of(77) : (Object)2);
    }
}
