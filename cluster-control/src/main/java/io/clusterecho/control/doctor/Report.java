package io.clusterecho.control.doctor;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** What will run, and the results of all checks in the order of the output. */
record Report(HostPlan plan, List<Check> checks, Map<String, String> machine)
{
    /** Name of the format, a slash and its version. */
    static final String FORMAT = "cluster-echo-doctor/1";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** Whether no check failed. */
    boolean isFit()
    {
        return 0 == count(Check.Level.FAIL);
    }

    void print(final PrintStream out)
    {
        out.println("This host, for " + plan.coreNeed().users() + ":");
        checks.forEach((check) -> out.println(check.line()));
        out.println(Arrays.stream(Check.Level.values()).map((level) -> count(level) + " " + level.text())
            .collect(Collectors.joining(", ")) + (isFit() ? "" : ": this host is not fit"));
    }

    ObjectNode asJson()
    {
        final ObjectNode json = MAPPER.createObjectNode().put("format", FORMAT).put("fit", isFit());
        final ObjectNode counts = json.putObject("counts");
        Arrays.stream(Check.Level.values()).forEach((level) -> counts.put(level.text(), count(level)));
        final ObjectNode planned = json.putObject("plan").put("members", plan.memberCount())
            .put("clients", plan.clientCount()).put("threads", plan.coreNeed().threadCount());
        plan.config().effective().forEach(planned::put);
        json.set("checks", MAPPER.valueToTree(checks));
        json.set("machine", MAPPER.valueToTree(machine));
        return json;
    }

    private long count(final Check.Level level)
    {
        return checks.stream().filter((check) -> level == check.level()).count();
    }
}
