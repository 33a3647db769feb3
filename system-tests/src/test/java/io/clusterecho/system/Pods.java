package io.clusterecho.system;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.agrona.IoUtil;

import io.clusterecho.host.HostFiles;
import io.clusterecho.testing.Need;

/**
 * Pods of manifests, run by {@code podman kube play} in a network with names, with images and state of their own. Does what a
 * cluster does around them and podman 4.3 does not: it makes the pods of a StatefulSet or a Job, with names, indexes, addresses
 * and values of variables, and it makes their volumes, with the owners and modes that Kubernetes gives these. A volume in memory
 * has the size of its limit; one that is claimed remains when its pod is gone.
 */
final class Pods implements AutoCloseable
{
    /** Group of the volumes, as in the manifests. */
    private static final int GROUP = 10_001;
    private static final String IMAGE = "localhost/cluster-echo:test";
    private static final String BASE = "localhost/cluster-echo-jdk:test";
    private static final String NETWORK = "cluster-echo-test";
    private static final String SUBNET = "10.231.19.";
    private static final int HOSTS_LENGTH = 1024;
    static final String CREDENTIALS = "echo:as-secret-as-tests-are\n";
    private static final long MAX_LIMIT = 16_384;
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(180);
    /** Of podman, whatever its folders. */
    private static final Path LOCKS = Path.of("/dev/shm/libpod_lock");
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final boolean isOfOthers = Files.exists(LOCKS);
    private final Path dir;
    private final List<String> podman = new ArrayList<>();
    /** Addresses by name. */
    private final Map<String, String> played = new TreeMap<>();
    private Manifests manifests;

    /** Skips the calling test without root or podman. */
    Pods(final Path dir) throws IOException
    {
        Need.root();
        this.dir = dir;
        // Limits of this process, which it may not be permitted to raise; and runc where it is, for hosts with both cgroups.
        final String limits = Stream.of("nofile:Max open files", "nproc:Max processes").map((limit) -> limit.split(":"))
            .map((limit) -> "\"" + limit[0] + "=" + hardLimit(limit[1]) + ":" + hardLimit(limit[1]) + "\"")
            .collect(Collectors.joining(", "));
        final Path settings = Files.writeString(dir.resolve("containers.conf"), "[containers]\ndefault_ulimits = [" + limits +
            "]\n" + (Files.isExecutable(Path.of("/usr/sbin/runc")) ? "[engine]\nruntime = \"runc\"\n" : ""));
        podman.addAll(List.of(
            "env", "CONTAINERS_CONF=" + settings, Need.PODMAN.program().toString(), "--root", dir.resolve("storage").toString(),
            "--runroot", dir.resolve("run").toString(), "--network-config-dir", dir.resolve("networks").toString(),
            "--cgroup-manager", "cgroupfs", "--events-backend", "none"));
    }

    /** Of a container. A podman that may not raise its own limits first lowers those that are above 32768. */
    private static long hardLimit(final String name)
    {
        return HostFiles.ofThisMachine().lines("proc/self/limits").stream().filter((line) -> line.startsWith(name))
            .map((line) -> line.substring(name.length()).trim().split("\\s+")[1]).filter((word) -> word.matches("\\d+"))
            .mapToLong(Long::parseLong).map((limit) -> Math.min(limit, MAX_LIMIT)).findFirst().orElse(MAX_LIMIT);
    }

    /** Build the image of this build, on the JDK of this machine. */
    void build() throws IOException
    {
        final Path context = Files.createDirectory(dir.resolve("image"));
        final Path root = EchoCluster.ROOT;
        succeed(List.of(
            "cp", "-r", root.resolve("cluster-node.jar").toString(), root.resolve("load-client.jar").toString(),
            root.resolve("config").toString(), context.toString()));
        succeed(List.of(
            "env", "PODMAN=" + String.join(" ", podman), root.resolve("deploy/container/base-image.sh").toString(), BASE));
        run("build", "--isolation", "chroot", "--build-arg", "BASE_IMAGE=" + BASE, "--tag", IMAGE,
            "--file", root.resolve("deploy/container/Containerfile").toString(), context.toString());
        run("network", "create", "--internal", "--disable-dns", "--subnet", SUBNET + "0/24", "--gateway", address(1), NETWORK);
    }

    /** Skips the calling test if no container can run here: what one needs of the kernel shows only when one is run. */
    void check()
    {
        final List<String> trial = new ArrayList<>(podman);
        trial.addAll(List.of("run", "--rm", "--network", NETWORK, "--entrypoint", "java", IMAGE, "-version"));
        final CommandResult result = RunningCommand.start(trial, dir).await(TIMEOUT_NS);
        Need.PODMAN.check(0 == result.exitCode(), "podman cannot run a container here: " + result.err().strip());
    }

    /** Use the configuration of these manifests in pods that are played from now on. */
    void use(final Manifests given)
    {
        manifests = given;
    }

    /**
     * Play a pod with a name, which is also the name of its host, and the last number of its address, from 2 on.
     *
     * @param template of the pod, which may be changed.
     */
    void play(final String name, final ObjectNode template, final int address) throws IOException
    {
        final String index = name.replaceFirst(".*-", "");
        final ObjectNode pod = MAPPER.createObjectNode().put("apiVersion", "v1").put("kind", "Pod");
        final ObjectNode metadata = template.path("metadata").deepCopy();
        metadata.put("name", name);
        metadata.withObject("/labels").put("apps.kubernetes.io/pod-index", index);
        pod.set("metadata", metadata);
        final ObjectNode spec = template.path("spec").deepCopy();
        // The kubelet's restarts are not part of this.
        pod.set("spec", spec.put("hostname", name).put("restartPolicy", "Never"));
        final Map<String, String> fields = Map.of(
            "metadata.name", name, "status.podIP", address(address),
            "metadata.labels['apps.kubernetes.io/pod-index']", index);
        Stream.of("initContainers", "containers").flatMap((kind) -> stream(spec.path(kind)))
            .forEach((container) -> resolve((ObjectNode)container, fields));
        spec.set("volumes", volumes(name, spec));
        addNames(spec);

        final Path file = Files.writeString(dir.resolve(name + ".json"), pod.toPrettyString());
        played.put(name, address(address));
        writeNames();
        run("kube", "play", "--network", NETWORK + ":ip=" + address(address), file.toString());
    }

    /**
     * The names of all pods are in a file, and nothing answers DNS: podman's answers at its bridge, which takes the lowest MAC
     * address of its ports, so that pods do not reach it for half a minute after the one with that address is gone.
     */
    private void addNames(final ObjectNode spec)
    {
        spec.withObject("/dnsConfig").putArray("nameservers").add("127.0.0.1");
        ((ArrayNode)spec.get("volumes")).addObject().put("name", "hosts")
            .putObject("hostPath").put("path", names().toString()).put("type", "File");
        Stream.of("initContainers", "containers").flatMap((kind) -> stream(spec.path(kind))).forEach(
            (container) -> ((ObjectNode)container).withArray("/volumeMounts").addObject()
                .put("name", "hosts").put("mountPath", "/etc/hosts").put("readOnly", true));
    }

    /** The file of names, for programs outside of the pods too. */
    Path names()
    {
        return dir.resolve("hosts");
    }

    /** Written in place, and never shorter than before, because pods that run have this very file and may read it meanwhile. */
    private void writeNames() throws IOException
    {
        final String names = played.entrySet().stream().map((pod) -> pod.getValue() + " " + pod.getKey() + ".cluster-echo\n")
            .collect(Collectors.joining("", "127.0.0.1 localhost\n", ""));
        Files.writeString(names(), names + "\n".repeat(HOSTS_LENGTH - names.length()), CREATE, WRITE);
    }

    /**
     * Values in place of references, the image of this build, no probe, which the test runs itself, and no ports, which podman
     * would open on the host.
     */
    private static void resolve(final ObjectNode container, final Map<String, String> fields)
    {
        container.put("image", IMAGE).remove(List.of("readinessProbe", "ports"));
        final Map<String, String> variables = new TreeMap<>();
        container.path("env").forEach((variable) ->
        {
            final String value = fields.get(variable.at("/valueFrom/fieldRef/fieldPath").asText());
            ((ObjectNode)variable).put("value", value).remove("valueFrom");
            variables.put("$(" + variable.get("name").asText() + ")", value);
        });
        final ArrayNode arguments = container.path("args").isArray() ? (ArrayNode)container.get("args") : null;
        for (int i = 0; null != arguments && i < arguments.size(); i++)
        {
            arguments.set(i, variables.getOrDefault(arguments.get(i).asText(), arguments.get(i).asText()));
        }
    }

    private ArrayNode volumes(final String name, final JsonNode spec) throws IOException
    {
        final Map<String, JsonNode> volumes = new TreeMap<>();
        stream(spec.path("volumes")).forEach((volume) -> volumes.put(volume.get("name").asText(), volume));
        // The others are made from the templates of claims.
        stream(spec.path("containers")).flatMap((container) -> stream(container.path("volumeMounts"))).forEach(
            (mount) -> volumes.putIfAbsent(mount.get("name").asText(), MAPPER.createObjectNode()));
        final ArrayNode made = MAPPER.createArrayNode();
        for (final Map.Entry<String, JsonNode> volume : volumes.entrySet())
        {
            final Path folder = make(name, volume.getKey(), volume.getValue());
            made.addObject().put("name", volume.getKey()).putObject("hostPath").put("path", folder.toString());
        }
        return made;
    }

    private Path make(final String pod, final String name, final JsonNode volume) throws IOException
    {
        final String claim = volume.at("/persistentVolumeClaim/claimName").asText(pod + "-" + name);
        final boolean isClaimed = volume.isEmpty() || volume.has("persistentVolumeClaim");
        final Path folder = isClaimed ? volumeOf(claim) : Files.createTempDirectory(dir, pod + "-" + name);
        final String limit = volume.at("/emptyDir/sizeLimit").asText("");
        if ("Memory".equals(volume.at("/emptyDir/medium").asText()))
        {
            succeed(List.of(
                "mount", "-t", "tmpfs", "-o", "size=" + limit.replace("Mi", "m").replace("Gi", "g"), "tmpfs", folder.toString()));
        }
        if (volume.has("secret"))
        {
            write(folder.resolve("credentials"), CREDENTIALS, "0440");
        }
        if (volume.has("configMap"))
        {
            for (final var file : manifests.object("ConfigMap", volume.at("/configMap/name").asText()).get("data").properties())
            {
                write(folder.resolve(file.getKey()), file.getValue().asText(), "0644");
            }
        }
        succeed(List.of("chgrp", String.valueOf(GROUP), folder.toString()));
        succeed(List.of("chmod", isClaimed ? "2770" : "2777", folder.toString()));
        return folder;
    }

    private static void write(final Path file, final String text, final String mode) throws IOException
    {
        Files.writeString(file, text);
        succeed(List.of("chgrp", String.valueOf(GROUP), file.toString()));
        succeed(List.of("chmod", mode, file.toString()));
    }

    /** The folder of a claimed volume, for all pods. */
    Path volumeOf(final String claim) throws IOException
    {
        return Files.createDirectories(dir.resolve("volumes").resolve(claim));
    }

    /** Run a command in a container of a pod that runs. */
    CommandResult exec(final String pod, final String container, final List<String> command)
    {
        return start(Stream.concat(Stream.of("exec", pod + "-" + container), command.stream()).toArray(String[]::new))
            .await(TIMEOUT_NS);
    }

    /**
     * Make a folder with a program {@code kubectl} that does what those of {@code deploy/kubernetes/lab} ask of it. The container
     * of a pod that it deletes is started again after some seconds, which is a controller's part.
     */
    Path kubectl() throws IOException
    {
        final String command = podman.stream().map((word) -> "'" + word + "'").collect(Collectors.joining(" "));
        final Path program = Files.writeString(Files.createDirectories(dir.resolve("bin")).resolve("kubectl"), """
            #!/bin/bash
            container=$3-member
            [[ $3 != *worker* ]] || container=$3-worker
            case $1 in
                get) %1$s inspect --format '{{.State.StartedAt}}' "$container" ;;
                exec) shift 4; exec %1$s exec -i "$container" "$@" ;;
                delete) %1$s kill --signal KILL "$container"; (sleep 4; %1$s start "$container") </dev/null >/dev/null 2>&1 & ;;
                *) exit 1 ;;
            esac
            """.formatted(command));
        succeed(List.of("chmod", "+x", program.toString()));
        return program.getParent();
    }

    /** Address of a pod in its network, by the last number. */
    static String address(final int number)
    {
        return SUBNET + number;
    }

    /** Wait for the end of a container; its exit status. */
    int await(final String pod, final String container)
    {
        return Integer.parseInt(run("wait", pod + "-" + container).out().strip());
    }

    /** What a container printed. */
    String log(final String pod, final String container)
    {
        final CommandResult logs = start("logs", pod + "-" + container).await(TIMEOUT_NS);
        return logs.out() + logs.err();
    }

    /** Ask a container to end, as a cluster does before it deletes a pod, and wait for the time that it allows. */
    void stop(final String pod, final String container, final int seconds)
    {
        run("stop", "--time", String.valueOf(seconds), pod + "-" + container);
    }

    /** Kill a container, and delete its pod. */
    void kill(final String pod, final String container) throws IOException
    {
        run("kill", "--signal", "KILL", pod + "-" + container);
        delete(pod);
    }

    /** Delete a pod that has ended. */
    void delete(final String pod) throws IOException
    {
        played.remove(pod);
        writeNames();
        run("pod", "rm", "--force", "--time", "0", pod);
    }

    /** Delete all pods that were not deleted. */
    void deleteAll()
    {
        for (final String pod : played.keySet())
        {
            start("pod", "rm", "--force", "--time", "0", pod).await(TIMEOUT_NS);
        }
        played.clear();
    }

    private CommandResult run(final String... words)
    {
        final CommandResult result = start(words).await(TIMEOUT_NS);
        assertThat(result.exitCode()).as("%s: %s", List.of(words), result).isZero();
        return result;
    }

    private RunningCommand start(final String... words)
    {
        return RunningCommand.start(Stream.concat(podman.stream(), Stream.of(words)).toList(), dir.resolve("output"));
    }

    private static void succeed(final List<String> command)
    {
        final CommandResult result =
            RunningCommand.start(command, Path.of(System.getProperty("java.io.tmpdir"))).await(TIMEOUT_NS);
        assertThat(result.exitCode()).as("%s: %s", command, result).isZero();
    }

    private static Stream<JsonNode> stream(final JsonNode array)
    {
        final List<JsonNode> elements = new ArrayList<>();
        array.forEach(elements::add);
        return elements.stream();
    }

    /** Delete everything. Also called after a failure in between: each step is tried. */
    @Override
    public void close()
    {
        deleteAll();
        start("network", "rm", "--force", NETWORK).await(TIMEOUT_NS);
        final Path elsewhere = Path.of(System.getProperty("java.io.tmpdir"));
        // Volumes in memory, and the folders of podman's layers, the innermost first.
        final List<String> mounts = HostFiles.ofThisMachine().lines("proc/self/mounts").stream()
            .map((line) -> line.split(" ")[1]).filter((point) -> point.startsWith(dir + "/")).sorted(Comparator.reverseOrder())
            .toList();
        mounts.forEach((point) -> RunningCommand.start(List.of("umount", point), elsewhere).await(TIMEOUT_NS));
        if (!isOfOthers)
        {
            IoUtil.delete(LOCKS.toFile(), true);
        }
    }
}
