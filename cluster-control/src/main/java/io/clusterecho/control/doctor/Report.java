package io.clusterecho.control.doctor;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** What will run, and the results of all checks in the order of the output. */
record Report(HostPlan plan, List<Check> checks, Map<String, String> machine)
{
    /** Name of the format, a slash and its version. */
    static final String FORMAT = "cluster-echo-doctor/1";

    /** Whether no check failed. */
    boolean isFit()
    {
        return checks.stream().noneMatch((check) -> Level.FAIL == check.level());
    }

    void print(final PrintStream out)
    {
        out.println("This host, for " + plan.coreNeed().users() + ":");
        checks.forEach((check) -> out.println(check.line()));
        out.println(Arrays.stream(Level.values()).map((level) -> count(level) + " " + text(level))
            .collect(Collectors.joining(", ")) + (isFit() ? "" : ": this host is not fit"));
    }

    ObjectNode asJson()
    {
        final ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("format", FORMAT);
        json.put("fit", isFit());
        final ObjectNode counts = json.putObject("counts");
        Arrays.stream(Level.values()).forEach((level) -> counts.put(text(level), count(level)));
        final ObjectNode planned = json.putObject("plan");
        planned.put("members", plan.memberCount()).put("clients", plan.clientCount())
            .put("threads", plan.coreNeed().threadCount());
        plan.config().effective().forEach(planned::put);
        final ArrayNode all = json.putArray("checks");
        checks.forEach((check) -> all.addObject()
            .put("name", check.name()).put("level", text(check.level())).put("found", check.found())
            .put("wanted", check.wanted()).put("fix", check.fix()));
        machine.forEach(json.putObject("machine")::put);
        return json;
    }

    private long count(final Level level)
    {
        return checks.stream().filter((check) -> level == check.level()).count();
    }

    private static String text(final Level level)
    {
        return level.name().toLowerCase(Locale.ROOT);
    }
}
