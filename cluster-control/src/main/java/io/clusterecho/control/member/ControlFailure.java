package io.clusterecho.control.member;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Io;

/** A command failed for a reason outside this code. */
public final class ControlFailure extends RuntimeException
{
    /** Done, or nothing to do. */
    public static final int DONE = 0;

    /** Invalid option or setting, or the state of the cluster does not allow the command. */
    public static final int UNUSABLE = 2;

    /** The cluster is not in the requested state: no leader, no echo, or a member missing. */
    public static final int NOT_READY = 3;

    /** A majority of the members serves, but not all. */
    public static final int DEGRADED = 4;

    private static final long serialVersionUID = 1L;

    private final int exitCode;

    public ControlFailure(final int exitCode, final String message)
    {
        super(message);
        this.exitCode = exitCode;
    }

    public static ControlFailure notReady(final String message)
    {
        return new ControlFailure(NOT_READY, message);
    }

    /** Fail as {@link #notReady} if a condition holds. The message is made in any case. */
    public static void notReadyIf(final boolean isFailed, final String message)
    {
        if (isFailed)
        {
            throw notReady(message);
        }
    }

    /** What a host answers, or a fallback if it does not answer, or not with the present settings. */
    public static <T> T orElse(final Supplier<T> question, final T fallback)
    {
        try
        {
            return question.get();
        }
        catch (final ControlFailure | InvalidSettingException ex)
        {
            return fallback;
        }
    }

    /** What this user may not do, with a file or folder, whose owner may; names that user to run the command as. */
    static ControlFailure denied(final String what, final Path owned)
    {
        // The owner of a file in a closed folder is unknown, that of the folder is not.
        final String owner = Stream.iterate(owned, Objects::nonNull, Path::getParent)
            .map((path) -> Io.orElse("", () -> Files.getOwner(path).getName())).filter((name) -> !name.isEmpty())
            .findFirst().orElse("the user who started the cluster");
        return new ControlFailure(UNUSABLE, "no permission to " + what + ": run the command as " + owner);
    }

    public int exitCode()
    {
        return exitCode;
    }
}
