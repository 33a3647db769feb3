package io.clusterecho.failover.lab;

import java.util.List;
import java.util.SplittableRandom;

import io.clusterecho.settings.InvalidSettingException;

/** The faults of a test, each by the number of its cycle from 1 alone. */
@FunctionalInterface
public interface FaultSequence
{
    /** The fault of a cycle, by its number from 1. */
    PlannedFault get(int number);

    /**
     * Faults and victims, both used round-robin; the seed chooses among several followers.
     *
     * @throws InvalidSettingException if a fault may not hit the victims that it meets.
     */
    static FaultSequence roundRobin(final List<FaultSpec> specs, final List<String> victims, final long seed)
    {
        final FaultSequence sequence = (number) ->
        {
            final int index = number - 1;
            final String victim = victims.get(index % victims.size());
            final int pick = PlannedFault.EACH.equals(victim) ? index / victims.size() : pick(random(seed, number));
            return new PlannedFault(specs.get(index % specs.size()), victim, pick);
        };
        for (int number = 1; number <= specs.size() * victims.size(); number++)
        {
            check(sequence.get(number));
        }
        return sequence;
    }

    /**
     * Each fault drawn at random, with one of the victims that it may hit.
     *
     * @param victims   as in {@link PlannedFault#victim()}.
     * @param overlapNs latest time of a second fault after the first of its cycle, in ns; 0 for cycles of one fault.
     * @throws InvalidSettingException if a fault may hit none of the victims.
     */
    static FaultSequence random(
        final List<FaultSpec> specs, final List<String> victims, final long seed, final long overlapNs)
    {
        for (final FaultSpec spec : specs)
        {
            if (allowed(spec, victims).isEmpty())
            {
                check(new PlannedFault(spec, victims.get(0), 0));
            }
        }
        return (number) ->
        {
            final SplittableRandom random = random(seed, number);
            final PlannedFault first = draw(specs, victims, random);
            if (0 == overlapNs)
            {
                return first;
            }
            final PlannedFault second = draw(specs, victims, random);
            final long afterNs = random.nextLong(overlapNs);
            return first.isAllowedWith(second) ? first.with(new PlannedFault.Second(second, afterNs)) : first;
        };
    }

    private static PlannedFault draw(final List<FaultSpec> specs, final List<String> victims, final SplittableRandom random)
    {
        final FaultSpec spec = specs.get(random.nextInt(specs.size()));
        final List<String> candidates = allowed(spec, victims);
        return new PlannedFault(spec, candidates.get(random.nextInt(candidates.size())), pick(random));
    }

    private static List<String> allowed(final FaultSpec spec, final List<String> victims)
    {
        return victims.stream().filter((victim) -> new PlannedFault(spec, victim, 0).isAllowed()).toList();
    }

    private static void check(final PlannedFault planned)
    {
        InvalidSettingException.throwIf(
            !planned.isAllowed(), "--victim", planned.victim(), "one member at a time with --fault " + planned.spec() +
            (planned.spec().fault().is(Fault.Trait.DELETES_DATA) ?
            ", because data that a majority lost cannot be recovered" : ""));
    }

    private static SplittableRandom random(final long seed, final int number)
    {
        return new SplittableRandom(seed + number * 0x9E37_79B9_7F4A_7C15L);
    }

    private static int pick(final SplittableRandom random)
    {
        return random.nextInt(Integer.MAX_VALUE);
    }
}
