package io.clusterecho.peers.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

import io.clusterecho.reporting.results.ExitCode;
import io.clusterecho.settings.InvalidSettingException;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Divides CPU samples by part. */
@Command(
    name = "profile",
    mixinStandardHelpOptions = true,
    header = "Show which part takes the CPU: codec, queue, transport or the rest.",
    description = {
        "",
        "Reads recordings of Flight Recorder, of servers and clients that ran with -XX:StartFlightRecording. A sample belongs " +
        "to the innermost part on its stack. Native samples, such as those in system calls, are counted separately, " +
        "without those in which a thread waits.",
        "" },
    exitCodeList = { "0:printed", "2:invalid usage", "4:a recording has no samples" })
public final class ProfileCommand implements Callable<Integer>
{
    @Parameters(arity = "1..*", paramLabel = "FILE", description = "Recordings, each with a table.")
    private List<Path> files;

    @Override
    public Integer call()
    {
        boolean isComplete = true;
        for (final Path file : files)
        {
            final CpuProfile profile;
            try
            {
                profile = CpuProfile.read(file);
            }
            catch (final IOException ex)
            {
                throw new InvalidSettingException("FILE", file, "a readable recording of Flight Recorder (" + ex + ")");
            }
            isComplete &= profile.sampleCount() > 0;
            System.out.printf(Locale.ROOT, "%s: %,d samples%n%n%s%n", file, profile.sampleCount(), profile.markdown());
        }
        System.out.flush();
        return isComplete ? ExitCode.GOOD : ExitCode.RUN_FAILED;
    }
}
