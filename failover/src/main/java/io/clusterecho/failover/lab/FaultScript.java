package io.clusterecho.failover.lab;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.process.ChildProcess;
import io.clusterecho.process.Launch;
import io.clusterecho.settings.InvalidSettingException;

/**
 * An external program that injects and undoes a fault by means that this process does not have: a firewall, a switch, a network
 * namespace. Its arguments are {@code inject} or {@code undo}, the member id and the pid of the member's process. It exits when
 * it is done.
 */
public record FaultScript(Path file)
{
    private static final long TIMEOUT_S = 30;

    /** @throws InvalidSettingException if it cannot be executed. */
    public FaultScript
    {
        InvalidSettingException.throwIf(
            !Files.isRegularFile(file) || !Files.isExecutable(file), "--fault-script", file,
            "a program that this user can execute");
    }

    /** Run it with an action, {@code inject} or {@code undo}. */
    void run(final String action, final ClusterMember member)
    {
        // A host that does not answer may be the fault that is to be undone.
        final String pid = ControlFailure.orElse(() -> String.valueOf(member.pid().orElse(-1)), "-1");
        final List<String> command =
            List.of(file.toAbsolutePath().toString(), action, String.valueOf(member.memberId()), pid);
        // Its output goes to standard error, because standard output is for the result. Not by the path of that: where it is a
        // file, each of two openings has its own position, and their lines overwrite each other.
        try
        {
            final ChildProcess process = new Launch("the script", command).output((line) -> System.err.println(line)).start();
            final boolean hasEnded = process.awaitEndUninterrupted(System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_S));
            if (!hasEnded || 0 != process.exitStatus())
            {
                process.kill();
                throw failure(
                    command, hasEnded ? "exit status " + process.exitStatus() : "did not exit within " + TIMEOUT_S + " s");
            }
        }
        catch (final UncheckedIOException ex)
        {
            throw failure(command, ex.getCause().getMessage());
        }
    }

    private static ControlFailure failure(final List<String> command, final String reason)
    {
        return new ControlFailure(ControlFailure.NOT_READY, String.join(" ", command) + ": " + reason);
    }
}
