package io.clusterecho.failover.audit;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * State that the echo service must have for a client at the end of the committed log.
 *
 * @param clientId     in JSON a string, because a reader that parses numbers as doubles would change it.
 * @param lastSequence -1 for none.
 * @param checksum     as 16 hexadecimal digits.
 */
public record ClientAudit(
    @JsonProperty("client") @JsonFormat(shape = JsonFormat.Shape.STRING) long clientId,
    @JsonProperty("applied") long appliedCount, long lastSequence, String checksum)
{
}
