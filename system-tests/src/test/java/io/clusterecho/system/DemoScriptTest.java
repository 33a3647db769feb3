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

/** What scripts build in a checkout, with a Maven and a JDK that only print. */
class DemoScriptTest
{
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    /** $1: the checkout to copy from, $2: an empty folder. */
    private static final String CHECKOUT = String.join("\n",
        "set -euo pipefail",
        "cd \"$2\"",
        "mkdir checkout programs",
        "cp -r \"$1/scripts\" \"$1/config\" \"$1/pom.xml\" checkout",
        "(cd checkout && mkdir -p schemas codec platform attribution media cluster-node cluster-control reporting load-client \\",
        "    failover commands examples/order-book)",
        "printf '%s\\n' '#!/bin/sh' 'echo \"[INFO] Building schemas: messages 0.1.0   [1/2]\"' 'echo \"$@\" > ../maven' " +
            "'touch cluster-node.jar load-client.jar' > programs/mvn",
        "printf '%s\\n' '#!/bin/sh' 'case \"$*\" in *status*) exit 3;; esac' 'echo \"java ran\"' > programs/java",
        "chmod +x programs/mvn programs/java",
        "unset JAVA_HOME",
        "export PATH=\"$PWD/programs:$PATH\"",
        "");

    @TempDir
    private Path folder;

    @Test
    void shouldShowItsBuildInAFile() throws IOException
    {
        run("checkout/scripts/demo.sh > out 2>&1");
        // Started, measured, stopped.
        assertThat(Files.readAllLines(folder.resolve("out"))).containsExactly(
            "building cluster-node.jar, which is missing or older than its sources ...",
            "[1/2] schemas ...", "java ran", "java ran", "java ran");
    }

    /** The example has a jar of its own, which members and clients load. */
    @Test
    void shouldBuildTheExampleWhenItsSourceChanged() throws IOException
    {
        run(
            "touch checkout/cluster-node.jar",
            "checkout/scripts/start-cluster.sh 2> out",
            "test ! -e maven",
            "touch -d '1 minute' checkout/examples/order-book/OrderBook.java",
            "checkout/scripts/start-cluster.sh 2> out");
        assertThat(Files.readString(folder.resolve("maven"))).contains(" -pl cluster-control,commands,examples/order-book -am");
    }

    private void run(final String... lines) throws IOException
    {
        Need.BASH.check(Files.isExecutable(Path.of("/bin/bash")), "there is no /bin/bash");
        final Path run = Files.writeString(folder.resolve("run"), CHECKOUT + String.join("\n", lines) + "\n");
        final CommandResult result = RunningCommand.start(
            List.of("bash", run.toString(), ROOT.toString(), folder.toString()), folder).await(TIMEOUT_NS);
        assertThat(result.exitCode()).as("%s", result).isZero();
    }
}
