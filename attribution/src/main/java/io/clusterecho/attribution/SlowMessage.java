package io.clusterecho.attribution;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.json.JsonMapper;

/**
 * A slow message. Each time of its path is {@code dueNs} and the parts up to there, in their order.
 *
 * @param number         in the run, warm-up included.
 * @param dueNs          since the start of the schedule.
 * @param responseTimeNs without a reply its age at the end of the run.
 * @param partsNs        of the response time, which is their sum; a part that does not apply or is not known is absent.
 * @param causes         of the parts, which are added after the run; none if threads were not followed.
 */
public record SlowMessage(
    long number, long dueNs, long responseTimeNs, boolean isAnswered, Map<Part, Long> partsNs,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Cause> causes)
{
    private static final JsonMapper MAPPER = new JsonMapper();
    /** The slowest first. */
    private static final Comparator<SlowMessage> ORDER =
        Comparator.comparingLong(SlowMessage::responseTimeNs).reversed().thenComparingLong(SlowMessage::number);

    public SlowMessage
    {
        causes = null == causes ? new ArrayList<>() : causes;
    }

    /**
     * The slowest messages of several lists, the slowest first, at most {@link SlowestMessages#CAPACITY}; null if a list is
     * null, because the slowest of all may be among those that it does not have.
     */
    public static List<SlowMessage> slowest(final List<List<SlowMessage>> lists)
    {
        return lists.stream().anyMatch(Objects::isNull) ? null :
            lists.stream().flatMap(List::stream).sorted(ORDER).limit(SlowestMessages.CAPACITY).toList();
    }

    /** A file of messages as JSON, a line for each. */
    public static String json(final List<SlowMessage> messages)
    {
        return messages.stream().map((message) -> MAPPER.valueToTree(message).toString())
            .collect(Collectors.joining(",\n", "{\"slowestMessages\": [\n", "\n]}\n"));
    }
}
