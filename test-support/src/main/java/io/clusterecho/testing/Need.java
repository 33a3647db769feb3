package io.clusterecho.testing;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/**
 * Requirements of tests beyond a JDK: programs, permissions or cores. Tests check them only through this class. If a requirement
 * is not met the test is skipped with the reason, or fails if the system property {@value #REQUIRED} names the requirement.
 */
public enum Need
{
    /** To run playbooks; a test may find one that is not on the PATH. */
    ANSIBLE("ansible-playbook", "ansible-playbook"),
    /** A bash at the path that our scripts use. */
    BASH("bash"),
    /** To render pages; any of these. */
    BROWSER("browser", "chromium", "chromium-browser", "google-chrome"),
    /** A C compiler. */
    CC("cc", "cc"),
    /** The etcd server, which the peer finds itself. */
    ETCD("etcd"),
    /** All commits of the checkout, to compare with those that results name. */
    HISTORY("git-history", "git"),
    /** To make network namespaces. */
    IP("ip", "ip"),
    /** A JDK 17, the oldest that we support. */
    JDK_17("jdk-17"),
    /** A JDK 21. */
    JDK_21("jdk-21"),
    /** A JDK 25. */
    JDK_25("jdk-25"),
    /** To read JSON as the documents do. */
    JQ("jq", "jq"),
    /** To build the manifests of Kubernetes. */
    KUBECTL("kubectl", "kubectl"),
    /** Permission to mount an image file on a loop device, and to make a file system in it. */
    LOOP("loop", "mkfs.ext4"),
    /** To run containers, as root. */
    PODMAN("podman", "podman"),
    /** To change the limits of a running process. */
    PRLIMIT("prlimit", "prlimit"),
    /** Permission to trace another process. */
    PTRACE("ptrace"),
    /** To run a Python program. */
    PYTHON("python3", "python3"),
    /** To be root. */
    ROOT("root"),
    /** To drop root. */
    SETPRIV("setpriv", "setpriv"),
    /** An ssh server. */
    SSHD("sshd", "sshd"),
    /** To trace and to delay system calls. */
    STRACE("strace", "strace"),
    /** To pin a process to processors. */
    TASKSET("taskset", "taskset"),
    /** To capture packets, with the permission to. */
    TCPDUMP("tcpdump", "tcpdump"),
    /** Permission to have the kernel's events recorded. */
    TRACEFS("tracefs"),
    /** At least two processors for this process. */
    TWO_PROCESSORS("two-processors"),
    /** Permission to mount a file system that no other process sees. */
    UNSHARE("unshare", "unshare");

    /**
     * Names of requirements, separated by commas: a test without one of these fails instead of being skipped. Without the
     * prefix of the project's settings, for which an unknown system property is an error.
     */
    public static final String REQUIRED = "test.required";

    private static final List<String> ADMIN_FOLDERS = List.of("/usr/sbin", "/sbin");
    private static final Path JDKS = Path.of("/usr/lib/jvm");

    private final String label;
    private final List<String> programs;

    Need(final String label, final String... programs)
    {
        this.label = label;
        this.programs = List.of(programs);
    }

    /**
     * The requirement with a name.
     *
     * @param label as in {@value #REQUIRED}.
     * @throws IllegalArgumentException for an unknown name; the message lists the known ones.
     */
    public static Need of(final String label)
    {
        return Arrays.stream(values()).filter((need) -> need.label.equals(label)).findFirst().orElseThrow(() ->
            new IllegalArgumentException("'" + label + "' is not the name of a need; allowed are " +
                Arrays.stream(values()).map((need) -> need.label).collect(Collectors.joining(", "))));
    }

    /** Skip the calling test unless this process is root. */
    public static void root()
    {
        ROOT.check("root".equals(System.getProperty("user.name")), "the tests do not run as root");
    }

    /** Skip the calling test unless it may make an instance of tracefs. */
    public static void tracefs()
    {
        TRACEFS.check(
            Files.isWritable(Path.of("/sys/kernel/tracing/instances")),
            "tracefs is not mounted (mount -t tracefs nodev /sys/kernel/tracing), or the tests do not run as root");
    }

    /**
     * The program of this requirement; without it the calling test is skipped or fails.
     *
     * @return the first of its names found on the PATH or in the folders of administration programs.
     */
    public Path program()
    {
        final Optional<Path> program = find(
            Stream.concat(Arrays.stream(System.getenv("PATH").split(File.pathSeparator)), ADMIN_FOLDERS.stream())
                .map(Path::of).toList());
        check(program.isPresent(), String.join(" or ", programs) + " is not on the PATH");
        return program.orElseThrow();
    }

    /**
     * The JDK of this requirement, one of {@link #JDK_17} and its like; without it the calling test is skipped or fails.
     *
     * @return its home: JAVA_HOME_17 of the environment, that of this process, or a folder of {@code /usr/lib/jvm}.
     */
    public Path jdk()
    {
        final String version = label.substring(label.indexOf('-') + 1);
        final String home = System.getenv("JAVA_HOME_" + version);
        final Optional<Path> found = jdk(
            version, Stream.concat(Stream.ofNullable(home), Stream.of(System.getProperty("java.home"))).map(Path::of).toList(),
            JDKS);
        check(found.isPresent(), "neither JAVA_HOME_" + version + " nor a folder of " + JDKS + " is a JDK " + version);
        return found.orElseThrow();
    }

    static Optional<Path> jdk(final String version, final List<Path> homes, final Path folder)
    {
        final String[] names = folder.toFile().list();
        return Stream.concat(homes.stream(), Stream.of(null == names ? new String[0] : names).sorted().map(folder::resolve))
            .filter((home) -> Files.isExecutable(home.resolve("bin/java")))
            .filter((home) -> releaseOf(home).matches("(?s).*JAVA_VERSION=\"" + version + "[.\"].*"))
            .findFirst();
    }

    private static String releaseOf(final Path home)
    {
        try
        {
            return Files.readString(home.resolve("release"));
        }
        catch (final IOException ex)
        {
            return "";
        }
    }

    /**
     * Continue the calling test if the requirement is met; otherwise it is skipped, or fails if the requirement is mandatory.
     *
     * @param isMet  whether it is met.
     * @param reason why the test cannot run.
     */
    public void check(final boolean isMet, final String reason)
    {
        check(isMet, reason, System.getProperty(REQUIRED, ""));
    }

    void check(final boolean isMet, final String reason, final String required)
    {
        final boolean isRequired = Stream.of(required.split(",")).map(String::strip).filter((name) -> !name.isEmpty())
            .map(Need::of).toList().contains(this);
        if (isMet)
        {
            return;
        }
        if (isRequired)
        {
            Assertions.fail(label + " is required by -D" + REQUIRED + "=" + required + ", but " + reason);
        }
        Assumptions.abort("needs " + label + ": " + reason);
    }

    Optional<Path> find(final List<Path> folders)
    {
        return programs.stream().flatMap((program) -> folders.stream().map((folder) -> folder.resolve(program)))
            .filter(Files::isExecutable).findFirst();
    }
}
