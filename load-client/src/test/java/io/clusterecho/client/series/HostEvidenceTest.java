package io.clusterecho.client.series;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.MemberHost;
import io.clusterecho.reporting.results.ResultFolder;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostEvidenceTest
{
    @TempDir
    private Path path;

    @Test
    void shouldKeepWhatAHostSays()
    {
        assertThat(write(host("a", () -> List.of("started", "ended")))).isEmpty();

        assertThat(path.resolve("hosts/a/environment.json")).content().contains("\"cores\" : \"2\"");
        assertThat(path.resolve("hosts/a/member-4.log")).hasContent("started\nended");
    }

    @Test
    void shouldPassOverThisMachine()
    {
        assertThat(write(host("", List::of))).isEmpty();
        assertThat(path).isEmptyDirectory();
    }

    @Test
    void shouldLeaveTheReasonInPlaceOfWhatAHostDoesNotSayAndAskTheOthers()
    {
        final List<String> missing = write(
            host("a", () ->
            {
                throw new ControlFailure(ControlFailure.NOT_READY, "host a: no answer");
            }),
            host("b", () -> List.of("started")));

        assertThat(missing).containsExactly("the result lacks evidence from host a: no answer");
        assertThat(path.resolve("hosts/a/missing.txt")).hasContent("host a: no answer");
        assertThat(path.resolve("hosts/b/member-4.log")).hasContent("started");
    }

    @Test
    void shouldNotLoseARunToAHostThatFailsInAnotherWay()
    {
        final List<String> missing = write(
            host("a", () ->
            {
                throw new UncheckedIOException("broken pipe", new IOException());
            }),
            host("b", () ->
            {
                throw new IllegalStateException("cannot be read");
            }));

        assertThat(missing).containsExactly(
            "the result lacks evidence from host a: broken pipe", "the result lacks evidence from host b: cannot be read");
    }

    @Test
    void shouldSayThatTheFolderOfAHostCannotBeMade() throws IOException
    {
        Files.writeString(path.resolve("hosts"), "a file where the folder would go");

        assertThat(write(host("a", List::of))).singleElement().asString()
            .startsWith("the result lacks evidence from host a: cannot create ");
    }

    private List<String> write(final MemberHost... hosts)
    {
        return HostEvidence.write(ResultFolder.at(path), List.of(hosts));
    }

    private static MemberHost host(final String name, final Supplier<List<String>> said)
    {
        final ClusterMember member = fake(ClusterMember.class, (method) -> switch (method)
        {
            case "memberId" -> 4;
            case "output" -> said.get();
            default -> throw new AssertionError(method);
        });
        return fake(MemberHost.class, (method) -> switch (method)
        {
            case "name" -> name;
            case "members" -> List.of(member);
            case "environment" -> Map.of("machine", Map.of("cores", "2"));
            default -> throw new AssertionError(method);
        });
    }

    private interface Answers
    {
        Object of(String method);
    }

    private static <T> T fake(final Class<T> type, final Answers answers)
    {
        return type.cast(Proxy.newProxyInstance(
            type.getClassLoader(), new Class<?>[]{ type }, (proxy, method, arguments) -> answers.of(method.getName())));
    }
}
