package io.clusterecho.platform;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Removes secrets from command lines before these are stored. Names of files with secrets are kept. */
public final class Redaction
{
    public static final String MARK = "***";

    private static final String SECRET_WORD =
        "(?:password|passwd|passphrase|secret|token|credential|api[._-]?key|access[._-]?key|private[._-]?key)";
    private static final String SECRET_NAME = "[\\w.-]*" + SECRET_WORD + "(?![\\w.-]*(?:file|dir|path)\\b)[\\w.-]*";
    private static final Pattern ASSIGNED = Pattern.compile("(?i)(" + SECRET_NAME + "=).+", Pattern.DOTALL);
    private static final Pattern OPTION = Pattern.compile("(?i)--?" + SECRET_NAME);
    private static final Pattern USER_OF_ADDRESS = Pattern.compile("(://)[^/@\\s]+@");

    /** The same arguments, with {@value #MARK} in place of passwords, tokens and the like. */
    public static List<String> of(final List<String> arguments)
    {
        final List<String> redacted = new ArrayList<>();
        boolean isSecret = false;
        for (final String argument : arguments)
        {
            if (isSecret && !argument.startsWith("-"))
            {
                redacted.add(MARK);
                isSecret = false;
            }
            else
            {
                final String named = ASSIGNED.matcher(argument).replaceFirst("$1" + MARK.replace("$", "\\$"));
                redacted.add(USER_OF_ADDRESS.matcher(named).replaceAll("$1" + MARK + "@"));
                isSecret = OPTION.matcher(argument).matches();
            }
        }

        return redacted;
    }
}
