package io.clusterecho.control.remote;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A process on a host of an inventory.
 *
 * @param index of the member or client, from 0; 0 for the others.
 */
public record Role(Kind kind, int index)
{
    private static final Pattern INDEXED = Pattern.compile("(member|client)\\s+([0-9]{1,2})");
    private static final int MAX_INDEX = 98;

    /** Kinds of processes. */
    public enum Kind
    {
        MEMBER,
        /** The backup of the cluster. */
        BACKUP,
        /** A load client. */
        CLIENT,
        /** A server of another system. */
        PEER
    }

    static Role parse(final String text)
    {
        final Matcher indexed = INDEXED.matcher(text);
        if (indexed.matches() && Integer.parseInt(indexed.group(2)) <= MAX_INDEX)
        {
            return new Role(
                "member".equals(indexed.group(1)) ? Kind.MEMBER : Kind.CLIENT, Integer.parseInt(indexed.group(2)));
        }

        return switch (text)
        {
            case "backup" -> new Role(Kind.BACKUP, 0);
            case "peer" -> new Role(Kind.PEER, 0);
            default -> throw new IllegalArgumentException(text);
        };
    }
}
