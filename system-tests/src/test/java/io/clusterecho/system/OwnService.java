package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;

/** The order book of {@code examples} with its messages, as a service that is not ours. */
final class OwnService
{
    static final String CLASS = "com.example.orderbook.OrderBookService";
    static final String JAR = EchoCluster.ROOT.resolve("examples/order-book/order-book.jar").toString();

    private OwnService()
    {
    }

    /** Let the members of a cluster that is not started run it. */
    static EchoCluster in(final EchoCluster cluster)
    {
        return cluster.with("echo.service.class", CLASS).with("echo.class.path", JAR);
    }

    /** The result of a command with its messages, whose status is 0, or 4 where this machine was too slow for a verdict. */
    static JsonNode measure(
        final EchoCluster cluster, final Path results, final String command, final String... options)
    {
        final CommandResult result = cluster.loadClient(options(results, command, options));
        assertThat(result.exitCode()).as("%s", result).isIn(0, 4);
        return result.json();
    }

    /** Each request was answered once, and the replies are of the kinds that the order book has. */
    static void assertAccounts(final JsonNode run, final long scheduled)
    {
        assertThat(run.get("scheduled").asLong()).as("%s", run).isEqualTo(scheduled);
        assertThat(run.get("answered").asLong() + run.get("late").asLong()).as("%s", run).isEqualTo(scheduled);
        assertThat(run.get("duplicates").asLong() + run.get("corrupt").asLong()).as("%s", run).isZero();
        assertThat(run.get("replies")).extracting((kind) -> kind.get("name").asText())
            .containsExactly("accepted", "rejected", "filled");
        assertThat(run.at("/replies/0/answered").asLong() + run.at("/replies/1/answered").asLong()).isEqualTo(scheduled);
    }

    /** Arguments of the load client for a command with its messages. */
    static String[] options(final Path results, final String command, final String... options)
    {
        final List<String> all = new ArrayList<>(List.of(command));
        all.addAll(List.of(options));
        all.addAll(List.of(
            "--messages=com.example.orderbook.OrderMessages", "--class-path=" + JAR, "--json", "--output=" + results));
        if (!"matrix".equals(command))
        {
            all.addAll(List.of("--warm-up=1s", "--connect-timeout=60s"));
        }
        return all.toArray(String[]::new);
    }
}
