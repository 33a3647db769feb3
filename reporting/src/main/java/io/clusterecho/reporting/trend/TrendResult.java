package io.clusterecho.reporting.trend;

import java.nio.file.Path;
import java.time.Instant;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A result of a record.
 *
 * @param folder   of it, absolute.
 * @param document of a run or a search; of a failover test, that of its load with its outages.
 */
record TrendResult(Path folder, Kind kind, JsonNode document, Instant start, JsonNode verdict)
{
    /** What is measured. */
    enum Kind
    {
        /** Steady load. */
        RUN("run"),
        /** Search for the highest rate. */
        MAX_RATE("max-rate"),
        /** Failover test. */
        FAILOVER("failover");

        private final String word;

        Kind(final String word)
        {
            this.word = word;
        }

        String word()
        {
            return word;
        }
    }

    boolean isGood()
    {
        return verdict.path("good").asBoolean();
    }

    /** Commit of the program, or {@code unknown}. */
    String commit()
    {
        return document.at("/versions/commit").asText("unknown");
    }
}
