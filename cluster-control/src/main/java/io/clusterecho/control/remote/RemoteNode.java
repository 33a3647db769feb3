package io.clusterecho.control.remote;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.control.member.MemberErrors;
import io.clusterecho.control.member.MemberStorage;
import io.clusterecho.media.counters.ProcessSource;
import io.clusterecho.node.config.MemberEndpoints;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.member.MemberSeed;

/** What a member and a backup on a host of an inventory have in common: the agent there executes each method on its own. */
abstract class RemoteNode
{
    static final long START_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);
    static final long PURGE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final String LOG_FILE = "member.log";

    private final HostLink link;
    private final Path baseDir;
    private final MemberEndpoints endpoints;

    RemoteNode(final HostLink link, final Path baseDir, final MemberEndpoints endpoints)
    {
        this.link = link;
        this.baseDir = baseDir;
        this.endpoints = endpoints;
    }

    /** Say in a request whom it is for. */
    abstract ObjectNode addressed(ObjectNode request);

    public abstract Path dir();

    final HostLink link()
    {
        return link;
    }

    final Path baseDir()
    {
        return baseDir;
    }

    final ObjectNode request(final String what)
    {
        return addressed(link.newRequest(what).put("base", baseDir.toString()));
    }

    final JsonNode ask(final String what)
    {
        return link.ask(request(what), HostLink.SHORT_TIMEOUT_NS);
    }

    final List<ProcessSource> processes()
    {
        final List<ProcessSource> sources = new ArrayList<>();
        ask("sources").forEach(
            (suffix) -> sources.add(new RemoteProcess(link, () -> request("sample"), suffix.asText())));
        return sources;
    }

    public final MemberEndpoints endpoints()
    {
        return endpoints;
    }

    public final String hostName()
    {
        return link.host().name();
    }

    public final Path aeronDir()
    {
        return NodeConfig.defaultAeronDir(baseDir, endpoints.memberId());
    }

    public final Path logFile()
    {
        return dir().resolve(LOG_FILE);
    }

    public final OptionalLong pid()
    {
        final JsonNode pid = link.askAtOnce(request("pid"), HostLink.SILENCE_TIMEOUT_NS);
        return pid.isNull() ? OptionalLong.empty() : OptionalLong.of(pid.asLong());
    }

    public final boolean isRecorded()
    {
        return ask("recorded").asBoolean();
    }

    public final void start()
    {
        link.ask(request("start"), START_TIMEOUT_NS);
    }

    public final void terminate()
    {
        ask("terminate");
    }

    public final void kill()
    {
        ask("kill");
    }

    public final OptionalInt exitCode()
    {
        final JsonNode code = ask("exit");
        return code.isNull() ? OptionalInt.empty() : OptionalInt.of(code.asInt());
    }

    public final List<String> output()
    {
        final List<String> lines = new ArrayList<>();
        link.ask(request("said"), START_TIMEOUT_NS).forEach((line) -> lines.add(line.asText()));
        return lines;
    }

    public final void cleanUp()
    {
        link.ask(request("clean"), START_TIMEOUT_NS);
    }

    public final boolean deleteData()
    {
        return link.ask(request("delete"), START_TIMEOUT_NS).asBoolean();
    }

    public final boolean hasLog()
    {
        return ask("log").asBoolean();
    }

    public final MemberStorage storage()
    {
        return link.parse(link.ask(request("storage"), START_TIMEOUT_NS), MemberStorage.class);
    }

    public final MemberSeed seed()
    {
        return link.parse(link.ask(request("seed"), START_TIMEOUT_NS), MemberSeed.class);
    }

    public final MemberErrors errors()
    {
        return link.parse(ask("errors"), MemberErrors.class);
    }
}
