package io.clusterecho.failover.lab;

import java.util.Locale;
import java.util.stream.Collectors;

import io.clusterecho.settings.IllegalArgument;

/**
 * A fault and its strength, written as {@code link-loss:10%}; {@code kill} has none.
 *
 * @param strength as it was given; empty if the fault has none.
 */
public record FaultSpec(Fault fault, String strength)
{
    private static final char SEPARATOR = ':';

    /** @throws IllegalArgumentException with what is allowed, if there is no such fault, or not that strong; text may be null. */
    public static FaultSpec parse(final String text)
    {
        final int index = null == text ? -1 : text.indexOf(SEPARATOR);
        final String label = index < 0 ? text : text.substring(0, index);
        final Fault fault = Faults.ALL.stream().filter((one) -> one.name().equals(label)).findFirst()
            .orElseThrow(() -> new IllegalArgumentException(
                Faults.ALL.stream().map(FaultSpec::form).collect(Collectors.joining(", "))));
        IllegalArgument.throwIf(index >= 0 && Fault.Strength.NONE == fault.strength(), label + " has no strength");

        final FaultSpec spec = new FaultSpec(fault, index < 0 ? fault.strength().defaultText() : text.substring(index + 1));
        spec.amount();
        return spec;
    }

    /** Its strength: ns, bytes, parts per million or a count, as the fault defines it; 0 if it has none. */
    long amount()
    {
        return fault.strength().parse(fault.name(), strength);
    }

    @Override
    public String toString()
    {
        return strength.isEmpty() ? fault.name() : fault.name() + SEPARATOR + strength;
    }

    private static String form(final Fault fault)
    {
        return Fault.Strength.NONE == fault.strength() ? fault.name() :
            fault.name() + "[" + SEPARATOR + fault.strength().unit().name().toLowerCase(Locale.ROOT) + "]";
    }
}
