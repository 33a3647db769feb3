package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.testing.Need;

import org.yaml.snakeyaml.Yaml;

/** The objects of a folder of {@code deploy/kubernetes}, as {@code kubectl apply -k} would send them. */
record Manifests(List<ObjectNode> objects)
{
    private static final Path FOLDER = EchoCluster.ROOT.resolve("deploy/kubernetes");
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** Build a folder; skips the calling test without kubectl. */
    static Manifests of(final String folder)
    {
        final CommandResult built = RunningCommand.start(
            List.of(Need.KUBECTL.program().toString(), "kustomize", FOLDER.resolve(folder).toString()),
            Path.of(System.getProperty("java.io.tmpdir"))).await(TIMEOUT_NS);
        assertThat(built.exitCode()).as("%s", built).isZero();
        final List<ObjectNode> objects = new ArrayList<>();
        new Yaml().loadAll(built.out()).forEach((object) -> objects.add(MAPPER.valueToTree(object)));
        return new Manifests(objects);
    }

    /** The object of a kind whose name has a beginning: that of a ConfigMap ends with a hash. */
    ObjectNode object(final String kind, final String name)
    {
        return objects.stream().filter((object) -> kind.equals(object.path("kind").asText()) &&
            object.at("/metadata/name").asText().startsWith(name)).findFirst()
            .orElseThrow(() -> new AssertionError("no " + kind + " " + name + " in " + objects));
    }

    /** The template of the pods of an object. */
    ObjectNode template(final String kind, final String name)
    {
        final JsonNode spec = object(kind, name).get("spec");
        return (ObjectNode)(spec.has("jobTemplate") ? spec.at("/jobTemplate/spec/template") : spec.get("template"));
    }
}
