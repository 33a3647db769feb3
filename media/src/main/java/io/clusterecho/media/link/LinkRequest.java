package io.clusterecho.media.link;

import java.util.Optional;

/**
 * What a member must drop, with a number that makes each request different from all before. Encoded in one long, so that it is
 * read and written atomically: the number in the upper 62 bits, one bit for each direction below.
 */
public final class LinkRequest
{
    private static final int DIRECTION_BITS = 2;
    private static final int DIRECTION_MASK = (1 << DIRECTION_BITS) - 1;
    private static final Direction[] DIRECTIONS = Direction.values();

    private LinkRequest()
    {
    }

    /**
     * The next request to cut after another request.
     *
     * @param previous  encoded request.
     * @param direction to cut.
     * @return encoded request.
     */
    public static long cutAfter(final long previous, final Direction direction)
    {
        return healAfter(previous) | direction.bits();
    }

    /**
     * The next request to drop nothing after another request.
     *
     * @param previous encoded request.
     * @return encoded request.
     */
    public static long healAfter(final long previous)
    {
        return (previous >>> DIRECTION_BITS) + 1 << DIRECTION_BITS;
    }

    /**
     * Direction of a request.
     *
     * @param request encoded.
     * @return the direction to cut, or empty for none.
     */
    public static Optional<Direction> direction(final long request)
    {
        final int bits = (int)request & DIRECTION_MASK;
        return 0 == bits ? Optional.empty() : Optional.of(DIRECTIONS[bits - 1]);
    }
}
