package io.clusterecho.peers.workload;

import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Whether a client's result is that of a steady state, by what the client says of it: its warm-up, its measured window, and for
 * a search its trials. The rules are those of the load client. Stateless.
 */
final class Steadiness
{
    private Steadiness()
    {
    }

    /**
     * What was not steady.
     *
     * @return a phrase for each reason, separated by semicolons; null if nothing shows that it was not steady.
     */
    static String unsteady(final JsonNode result)
    {
        final List<String> reasons = new ArrayList<>();
        // The first trial of a search may be far above what the system sustains: then times grow however warm it is.
        final JsonNode firstTrial = result.at("/steps/0/held");
        if (firstTrial.isMissingNode() || firstTrial.asBoolean())
        {
            addText(reasons, result.at("/warmUp/unsteady"));
        }
        addText(reasons, result.at("/answer/climbing"));
        if (result.at("/steadyState/reached").isBoolean())
        {
            result.at("/steadyState/reasons").forEach((reason) -> addText(reasons, reason));
        }

        return reasons.isEmpty() ? null : String.join("; ", reasons);
    }

    /**
     * Length of a warm-up that ended by itself.
     *
     * @return in ns; null for one of a fixed length.
     */
    static Double warmUpNs(final JsonNode result)
    {
        final JsonNode length = result.at("/warmUp/lengthNs");
        return length.isNumber() ? Double.valueOf(length.asDouble()) : null;
    }

    private static void addText(final List<String> reasons, final JsonNode reason)
    {
        if (reason.isTextual())
        {
            reasons.add(reason.asText());
        }
    }
}
