package io.clusterecho.control.remote;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.control.member.Asked;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Node;
import io.clusterecho.node.config.MemberEndpoints;
import io.clusterecho.process.ChildProcess;
import io.clusterecho.process.CommandHint;
import io.clusterecho.process.Launch;

/**
 * A member or a backup on a host of an inventory: the agent there executes each {@link Asked} method on its own. The others need
 * no agent, or more than one request.
 */
record RemoteNode(HostLink link, Node.Place place, ObjectNode address) implements InvocationHandler
{
    private static final long COPY_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(600);
    /** Exit status of tar when a file changed while it was read, and nothing else went wrong. */
    private static final int TAR_FILE_CHANGED = 1;
    private static final String STATE_FILES = "state*.log";

    private RemoteNode(
        final HostLink link, final Path baseDir, final MemberEndpoints endpoints, final boolean isBackup)
    {
        this(
            link, Node.Place.of(isBackup, link.host().name(), baseDir, endpoints),
            CallProtocol.MAPPER.createObjectNode().put("base", baseDir.toString()).put("backup", isBackup)
            .put("member", endpoints.memberId()));
    }

    static ClusterMember member(final HostLink link, final Path baseDir, final MemberEndpoints endpoints)
    {
        return new RemoteNode(link, baseDir, endpoints, false).as(ClusterMember.class);
    }

    static Node backup(final HostLink link, final Path baseDir, final MemberEndpoints endpoints)
    {
        return new RemoteNode(link, baseDir, endpoints, true).as(Node.class);
    }

    private <T extends Node> T as(final Class<T> type)
    {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{ type }, this));
    }

    @Override
    public Object invoke(final Object self, final Method method, final Object[] arguments) throws Throwable
    {
        return switch (method.getName())
        {
            case "equals" -> self == arguments[0];
            case "hashCode" -> hashCode();
            case "toString" -> place.hostName() + ":" + place.dir();
            case "place" -> place;
            case "useJar" -> throw link.host().failure(
                "runs the jar of its installation: install another version there, not " + arguments[0]);
            // The member's own record of its states. Without find, the status would be that of an empty archive.
            case "fetchStates" -> copy(
                "find . -prune > /dev/null && find . -name '" + STATE_FILES + "' | tar -cf - -T -", (Path)arguments[0]);
            // Recordings are sparse files of a fixed length.
            case "localDir" -> copy("tar -cSf - --exclude='" + STATE_FILES + "' .", (Path)arguments[0]);
            default -> method.isDefault() ? InvocationHandler.invokeDefault(self, method, arguments) : ask(method, arguments);
        };
    }

    private Object ask(final Method method, final Object... arguments)
    {
        // No counters, as of one that does not run; pid() distinguishes the two.
        return Optional.class == method.getReturnType() ?
            ControlFailure.orElse(() -> link.call(address, method, arguments), Optional.empty()) :
            link.call(address, method, arguments);
    }

    /** Run a command that packs files of the folder there, over ssh, and unpack its output into a folder in one here. */
    private Path copy(final String packing, final Path folder)
    {
        final Path copy = folder.resolve(place.dir().getFileName());
        final List<ChildProcess> processes = new ArrayList<>();
        try
        {
            Files.createDirectories(copy);
            final ChildProcess sender = new Launch("the sender", link.host().overSsh(
                "cd " + CommandHint.quoted(place.dir().toString()) + " && " + packing))
                .pipedOutput().errors(System.err::println).start(link.starter());
            processes.add(sender);
            final ChildProcess taker = new Launch("tar", List.of("tar", "-C", copy.toString(), "-xf", "-"))
                .pipedInput().errors(System.err::println).start(link.starter());
            processes.add(taker);
            try (var from = sender.output(); var to = taker.input())
            {
                from.transferTo(to);
            }
            // A member that keeps writing is read as on this machine: earlier data is complete.
            if (!taker.awaitEnd(COPY_TIMEOUT_NS) || 0 != taker.exitStatus() ||
                !sender.awaitEnd(COPY_TIMEOUT_NS) || sender.exitStatus() > TAR_FILE_CHANGED)
            {
                throw link.host().failure("the copy of " + place.dir() + " is incomplete: " +
                    sender.describeEnd() + "; " + taker.describeEnd());
            }

            return copy;
        }
        catch (final IOException | UncheckedIOException ex)
        {
            throw new UncheckedIOException(
                "cannot copy " + link.host().name() + ":" + place.dir() + " to " + copy,
                ex instanceof final IOException cause ? cause : (IOException)ex.getCause());
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw link.host().failure("the copy of " + place.dir() + " was interrupted");
        }
        finally
        {
            processes.forEach(ChildProcess::abandon);
        }
    }
}
