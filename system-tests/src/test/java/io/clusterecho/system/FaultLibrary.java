package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;

import io.clusterecho.testing.Need;

/** The library for faults of system calls, built from the sources. Without a C compiler the calling test is skipped. */
final class FaultLibrary
{
    private static final String SCRIPT = EchoCluster.ROOT.resolve("scripts/build-fault-library.sh").toString();

    private FaultLibrary()
    {
    }

    /**
     * Build it.
     *
     * @param folder for it.
     * @return its path, for {@code echo.fault.library}.
     */
    static String builtIn(final Path folder) throws IOException, InterruptedException
    {
        Need.CC.program();
        final String library = folder.resolve("fault-library.so").toString();
        assertThat(new ProcessBuilder(SCRIPT, library).inheritIO().start().waitFor()).isZero();
        return library;
    }
}
