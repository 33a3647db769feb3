package io.clusterecho.control.member;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.settings.InvalidSettingException;

/** The fault library of one member on this machine, which is loaded into its process if {@code echo.fault.library} names it. */
final class CallFaults
{
    private static final long LOAD_TIMEOUT_NS = 5_000_000_000L;
    private static final String PRELOAD = "LD_PRELOAD";

    private final int memberId;
    private final Path dir;
    private final String library;

    /** @param library file of the library, or empty for none. */
    CallFaults(final int memberId, final Path dir, final String library)
    {
        this.memberId = memberId;
        this.dir = dir;
        this.library = library.strip();
    }

    /** Reject a library that is not a file, or cannot be preloaded. */
    void check()
    {
        final Path file = Path.of(library).toAbsolutePath();
        InvalidSettingException.throwIf(
            !library.isEmpty() && (!Files.isRegularFile(file) || file.toString().matches(".*[\\s:].*")),
            NodeSettings.FAULT_LIBRARY.key(), library,
            "a file with neither blanks nor colons in its path; scripts/build-fault-library.sh builds one");
    }

    /** Words before the command of a process about to start, so that it loads the library; none without one. */
    List<String> prefix() throws IOException
    {
        if (library.isEmpty())
        {
            return List.of();
        }

        check();
        final String others = System.getenv(PRELOAD);
        return List.of(
            "env", "ECHO_FAULT_FILE=" + CallFile.create(dir.toAbsolutePath()),
            PRELOAD + "=" + Path.of(library).toAbsolutePath() + (null == others ? "" : ":" + others));
    }

    /** Inject a fault into a process; fails if that has not loaded the library. */
    void add(final CallFault fault, final OptionalLong pid)
    {
        try (CallFile file = CallFile.open(dir))
        {
            final boolean isLoaded = pid.isPresent() &&
                Deadline.in(LOAD_TIMEOUT_NS).await(() -> file.pid() == pid.getAsLong());
            if (!isLoaded)
            {
                throw ControlFailure.notReady("member " + memberId + " does not run with the fault library; its log may say why");
            }
            file.add(fault);
        }
        catch (final IOException ex)
        {
            throw without(ex);
        }
    }

    /** End all faults; fails if the member was never started with the library. */
    void clear()
    {
        try (CallFile file = CallFile.open(dir))
        {
            file.clear();
        }
        catch (final IOException ex)
        {
            throw without(ex);
        }
    }

    private ControlFailure without(final IOException ex)
    {
        return ControlFailure.unusable(
            "member " + memberId + " has no fault library (" + ex.getMessage() +
            "): start the cluster with " + NodeSettings.FAULT_LIBRARY.key() +
            ", and a library that scripts/build-fault-library.sh has built");
    }
}
