package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.clusterecho.testing.Need;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo in a fresh checkout, with a Maven and a JDK that only print. */
class DemoScriptTest
{
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    /** $1: the checkout to copy from, $2: an empty folder. */
    private static final String RUN = String.join("\n",
        "set -euo pipefail",
        "cd \"$2\"",
        "mkdir checkout programs",
        "cp -r \"$1/scripts\" \"$1/config\" \"$1/pom.xml\" checkout",
        "(cd checkout && mkdir -p schemas codec platform media cluster-node cluster-control reporting load-client failover \\",
        "    commands examples/order-book)",
        "printf '%s\\n' '#!/bin/sh' 'echo \"[INFO] Building schemas: messages 0.1.0   [1/2]\"' " +
            "'touch cluster-node.jar load-client.jar' > programs/mvn",
        "printf '%s\\n' '#!/bin/sh' 'case \"$*\" in *status*) exit 3;; esac' 'echo \"java ran\"' > programs/java",
        "chmod +x programs/mvn programs/java",
        "env -u JAVA_HOME PATH=\"$PWD/programs:$PATH\" checkout/scripts/demo.sh > out 2>&1",
        "");

    @TempDir
    private Path folder;

    @Test
    void shouldShowItsBuildInAFile() throws IOException
    {
        Need.BASH.check(Files.isExecutable(Path.of("/bin/bash")), "there is no /bin/bash");
        final Path run = Files.writeString(folder.resolve("run"), RUN);
        final CommandResult result = RunningCommand.start(
            List.of("bash", run.toString(), ROOT.toString(), folder.toString()), folder).await(TIMEOUT_NS);
        assertThat(result.exitCode()).as("%s", result).isZero();
        // Started, measured, stopped.
        assertThat(Files.readAllLines(folder.resolve("out"))).containsExactly(
            "building cluster-node.jar, which is missing or older than its sources ...",
            "[1/2] schemas ...", "java ran", "java ran", "java ran");
    }
}
