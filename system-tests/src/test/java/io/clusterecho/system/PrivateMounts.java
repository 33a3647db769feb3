package io.clusterecho.system;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.clusterecho.testing.Need;

/** File systems that only one command sees. */
final class PrivateMounts
{
    private PrivateMounts()
    {
    }

    /**
     * Words before a command that run it with its own mounts. Skips the calling test where mounting is not permitted.
     *
     * @param mounts commands of the shell that make them.
     */
    static List<String> words(final String mounts)
    {
        Need.root();
        final List<String> words = List.of(
            Need.UNSHARE.program().toString(), "--mount", "bash", "-euc", mounts + "; exec \"$@\"", "bash");
        final List<String> attempt = new ArrayList<>(words);
        attempt.add("true");
        final CommandResult result = RunningCommand.start(attempt, Path.of(System.getProperty("java.io.tmpdir")))
            .await(TimeUnit.SECONDS.toNanos(10));
        Need.UNSHARE.check(0 == result.exitCode(), "mounting is not permitted: " + result.err().strip());
        return words;
    }
}
