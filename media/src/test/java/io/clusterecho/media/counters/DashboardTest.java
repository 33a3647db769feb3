package io.clusterecho.media.counters;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.Test;

class DashboardTest
{
    private static final Path DASHBOARD = Path.of("../config/monitoring/grafana-dashboard.json");

    @Test
    void shouldAskForNothingThatMembersDoNotTell() throws IOException
    {
        final Set<String> told = Arrays.stream(CounterColumn.values())
            .map((column) -> "cluster_echo_" + column.label() + (CounterColumn.Kind.SUM == column.kind() ? "_total" : ""))
            .collect(Collectors.toSet());
        final Set<String> asked = new TreeSet<>();
        final Matcher matcher = Pattern.compile("cluster_echo_[a-z_]+").matcher(Files.readString(DASHBOARD));
        while (matcher.find())
        {
            asked.add(matcher.group());
        }
        assertThat(asked).hasSizeGreaterThan(10).isSubsetOf(told);

        final JsonNode dashboard = new ObjectMapper().readTree(DASHBOARD.toFile());
        assertThat(dashboard.get("panels")).isNotEmpty()
            .allSatisfy((panel) -> assertThat(panel.at("/targets/0/expr").asText()).contains("cluster_echo_"));
    }
}
