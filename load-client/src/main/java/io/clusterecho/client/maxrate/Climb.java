package io.clusterecho.client.maxrate;

import static io.clusterecho.text.Lines.text;

import java.util.List;

/**
 * Whether the system became faster while it was searched, so that the answer is not that of a steady state. Follows from the
 * trials alone. Stateless.
 */
final class Climb
{
    private Climb()
    {
    }

    /**
     * What shows that a confirmed rate was still rising.
     *
     * @return a sentence without its full stop; empty if nothing shows it, or if the rate is not confirmed.
     */
    static String of(final List<Trial> trials, final SearchAnswer answer)
    {
        if (SearchAnswer.Status.CONFIRMED != answer.status())
        {
            return "";
        }
        if (answer.isOpenAbove())
        {
            return text("no rate above %,d/s failed", answer.ratePerSecond());
        }

        final int recheck = lastRecheck(trials);
        if (recheck >= 0 && trials.get(recheck).isHeld())
        {
            return text(
                "%,d/s had failed and passed in run %d, its last recheck", trials.get(recheck).ratePerSecond(), recheck + 1);
        }

        return exceeded(trials);
    }

    /**
     * A rate that passed more than one step above a rate that had failed, in the search for one to propose. One step is noise:
     * near the limit any run may fail.
     */
    private static String exceeded(final List<Trial> trials)
    {
        int lowest = -1;
        for (int i = 0; i < trials.size(); i++)
        {
            final Trial trial = trials.get(i);
            if (lowest >= 0 && trial.isHeld() &&
                trial.ratePerSecond() > SearchPlan.SMALLEST_CLIMB * trials.get(lowest).ratePerSecond())
            {
                return text(
                    "%,d/s had failed in run %d, and %,d/s passed in run %d", trials.get(lowest).ratePerSecond(), lowest + 1,
                    trial.ratePerSecond(), i + 1);
            }
            if (!trial.isHeld() && RateSearch.Purpose.CONFIRM != trial.purpose() &&
                (lowest < 0 || trial.ratePerSecond() < trials.get(lowest).ratePerSecond()))
            {
                lowest = i;
            }
        }

        return "";
    }

    private static int lastRecheck(final List<Trial> trials)
    {
        for (int i = trials.size() - 1; i >= 0; i--)
        {
            if (RateSearch.Purpose.RECHECK == trials.get(i).purpose())
            {
                return i;
            }
        }

        return -1;
    }
}
