package io.clusterecho.control.command;

import java.nio.file.Path;
import java.util.concurrent.Callable;

import io.clusterecho.control.cluster.RecordedClusters;
import io.clusterecho.control.cluster.Supervisor;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.MemberLauncher;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The process that {@code start --supervise} leaves behind.
 */
@Command(
    name = "supervise",
    hidden = true,
    mixinStandardHelpOptions = true,
    sortOptions = false,
    header = "Start members of a cluster on this machine again when they fail.",
    description = { "", "'start --supervise' runs this in the background. Members keep running when it ends." })
public final class SuperviseCommand implements Callable<Integer>
{
    @Mixin
    private BaseDirOption base;

    @Option(names = "--jvm-options", paramLabel = "FILE", description = "JVM flags of the members.")
    private Path jvmOptions;

    @Override
    public Integer call()
    {
        new Supervisor(
            RecordedClusters.in(base.baseDir(), MemberLauncher.ofThisJar(jvmOptions)).orElseThrow(() -> new ControlFailure(
                ControlFailure.NOT_READY, "no cluster was started in " + base.baseDir())), System.out).run();
        return ControlFailure.DONE;
    }
}
