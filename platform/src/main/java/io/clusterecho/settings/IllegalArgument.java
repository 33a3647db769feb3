package io.clusterecho.settings;

/** Checks of arguments by code that no user's input reaches, or whose caller names what the user gave. */
public final class IllegalArgument
{
    /** Throw an {@link IllegalArgumentException} with a message if a condition holds. The message is made in any case. */
    public static void throwIf(final boolean isIllegal, final String message)
    {
        if (isIllegal)
        {
            throw new IllegalArgumentException(message);
        }
    }
}
