package io.clusterecho.client.schedule;

import java.util.ArrayList;
import java.util.List;

import io.clusterecho.settings.Quantity;

/** Reads the text of a {@link RateProfile}. */
final class RateGrammar
{
    private static final String SHAPES = "a rate such as 10k, or steps:, ramp:, sine: or on-off:, such as ";
    private static final String STEPS =
        "steps:RATE*TIME,RATE*TIME, such as steps:10k*5s,50k*5s: 2 to 1000 steps, times above 0, rates from 1, or 0 for a " +
        "pause that is neither first nor last";
    private static final String RAMP = "ramp:FROM..TO/TIME, such as ramp:1k..50k/30s: two different rates from 1, a time above 0";
    private static final String SINE =
        "sine:LOW..HIGH/PERIOD, such as sine:2k..20k/10s: rates from 1, the lower one first, a period above 0 in " +
        "whole ms";
    private static final String ON_OFF = "on-off:RATE*ON/OFF, such as on-off:20k*1s/500ms: a rate from 1, times above 0";
    private static final String SWEEP =
        "one rate, such as 10k; a chart over several: bin/load-client matrix config/matrix/quick --set fsync=0 --set size=288 " +
        "--set rate=";
    private static final int MAX_STEPS = 1000;
    private static final long NS_PER_MS = 1_000_000L;
    // 100 days, up to which a time in ns is exact in a double.
    private static final long MAX_LENGTH_NS = 100L * 24 * 3_600 * 1_000_000_000L;

    private RateGrammar()
    {
    }

    static RateProfile parse(final String text)
    {
        final int colon = text.indexOf(':');
        if (colon < 0)
        {
            if (text.indexOf(',') >= 0)
            {
                throw new IllegalArgumentException(SWEEP + text);
            }
            return PiecewiseRate.constant(Quantity.parseRate(text));
        }

        final String rest = text.substring(colon + 1);
        return switch (text.substring(0, colon))
        {
            case "steps" -> read(STEPS, () -> steps(text, rest));
            case "ramp" -> read(RAMP, () -> ramp(text, rest));
            case "sine" -> read(SINE, () -> sine(text, rest));
            case "on-off" -> read(ON_OFF, () -> onOff(text, rest));
            default -> throw new IllegalArgumentException(SHAPES + "sine:2k..20k/10s");
        };
    }

    /** What reads a shape. */
    private interface Reader
    {
        RateProfile read();
    }

    private static RateProfile read(final String allowed, final Reader reader)
    {
        try
        {
            return reader.read();
        }
        catch (final IllegalArgumentException | ArithmeticException ex)
        {
            throw new IllegalArgumentException(allowed, ex);
        }
    }

    private static RateProfile steps(final String text, final String rest)
    {
        final String[] steps = rest.split(",", -1);
        require(steps.length >= 2 && steps.length <= MAX_STEPS);
        final List<PiecewiseRate.Part> parts = new ArrayList<>();
        long endNs = 0;
        for (int i = 0; i < steps.length; i++)
        {
            final String[] step = halves(steps[i], "*");
            final boolean isPause = "0".equals(step[0]) && i > 0 && i < steps.length - 1;
            final long rate = isPause ? 0 : Quantity.parseRate(step[0]);
            final long lengthNs = lengthNs(step[1]);
            endNs += lengthNs;
            require(endNs <= MAX_LENGTH_NS);
            parts.add(new PiecewiseRate.Part(lengthNs, rate, rate));
        }
        return new PiecewiseRate(text, parts, false);
    }

    private static RateProfile ramp(final String text, final String rest)
    {
        final String[] halves = halves(rest, "/");
        final String[] rates = halves(halves[0], "..");
        final long from = Quantity.parseRate(rates[0]);
        final long to = Quantity.parseRate(rates[1]);
        require(from != to);
        return new PiecewiseRate(text, List.of(new PiecewiseRate.Part(lengthNs(halves[1]), from, to)), false);
    }

    private static RateProfile sine(final String text, final String rest)
    {
        final String[] halves = halves(rest, "/");
        final String[] rates = halves(halves[0], "..");
        final long low = Quantity.parseRate(rates[0]);
        final long high = Quantity.parseRate(rates[1]);
        final long periodNs = lengthNs(halves[1]);
        require(low < high && 0 == periodNs % NS_PER_MS);
        return PiecewiseRate.sine(text, low, high, periodNs);
    }

    private static RateProfile onOff(final String text, final String rest)
    {
        final String[] halves = halves(rest, "/");
        final String[] on = halves(halves[0], "*");
        final long rate = Quantity.parseRate(on[0]);
        final PiecewiseRate.Part sending = new PiecewiseRate.Part(lengthNs(on[1]), rate, rate);
        return new PiecewiseRate(text, List.of(sending, new PiecewiseRate.Part(lengthNs(halves[1]), 0, 0)), true);
    }

    private static long lengthNs(final String text)
    {
        final long lengthNs = Quantity.parseDurationNs(text);
        require(lengthNs > 0 && lengthNs <= MAX_LENGTH_NS);
        return lengthNs;
    }

    private static String[] halves(final String text, final String separator)
    {
        final int at = text.indexOf(separator);
        require(at > 0 && at == text.lastIndexOf(separator));
        return new String[]{ text.substring(0, at), text.substring(at + separator.length()) };
    }

    private static void require(final boolean isAllowed)
    {
        if (!isAllowed)
        {
            throw new IllegalArgumentException();
        }
    }
}
