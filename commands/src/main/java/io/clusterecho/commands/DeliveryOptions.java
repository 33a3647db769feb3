package io.clusterecho.commands;

import java.util.stream.Stream;

import io.clusterecho.client.load.Delivery;
import io.clusterecho.control.command.OptionGroup;

import picocli.CommandLine.Option;

/** What the client does about messages that may be lost. */
@OptionGroup(OptionGroup.Heading.DELIVERY)
final class DeliveryOptions
{
    /** Delivery by the names that users type. */
    enum Mode
    {
        /** Lost messages are counted. */
        at_most_once,
        /** Unacknowledged messages are sent again; the service applies each once. */
        exactly_once;

        static Mode parse(final String text)
        {
            return Stream.of(values()).filter((mode) -> mode.toString().equals(text)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("at-most-once or exactly-once"));
        }

        @Override
        public String toString()
        {
            return name().replace('_', '-');
        }
    }

    /** What happens when too many messages are unacknowledged. */
    enum AtBound
    {
        /** Further messages wait. */
        wait,
        /** The run ends. */
        end
    }

    @Option(names = "--delivery", paramLabel = "MODE", defaultValue = "at-most-once",
        description = "at-most-once or exactly-once; lost messages are counted, or sent again and applied once by the service. " +
        "Default: ${DEFAULT-VALUE}.")
    private Mode mode;

    @Option(names = "--resend-after", paramLabel = "TIME", defaultValue = "2s", converter = Converters.Duration.class,
        description = "Acknowledgement timeout of exactly-once delivery. Default: ${DEFAULT-VALUE}.")
    private long resendAfterNs;

    @Option(names = "--unacknowledged", paramLabel = "N", defaultValue = "1000000",
        converter = Converters.PositiveInt.class,
        description = "Maximum unacknowledged messages per session with exactly-once delivery. Default: ${DEFAULT-VALUE}.")
    private int unacknowledgedCount;

    @Option(names = "--at-bound", paramLabel = "ACTION", defaultValue = "wait",
        description = "What to do at that limit: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private AtBound atBound;

    Delivery config()
    {
        return Mode.at_most_once == mode ? Delivery.AT_MOST_ONCE :
            new Delivery(true, resendAfterNs, unacknowledgedCount, AtBound.end == atBound);
    }
}
