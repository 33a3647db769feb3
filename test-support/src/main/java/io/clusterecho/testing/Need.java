package io.clusterecho.testing;

import java.io.File;
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
 * What some tests need of the machine beyond a JDK: a program, or a fact. Each such test asks here, and nowhere else. Where the
 * need is not met the test is skipped with the reason, or fails if the system property {@value #REQUIRED} names the need.
 */
public enum Need
{
    /** To run playbooks; a test may know of one that is not on the PATH. */
    ANSIBLE("ansible-playbook", "ansible-playbook"),
    /** A bash where scripts of ours look for it. */
    BASH("bash"),
    /** To draw pages; one of these. */
    BROWSER("browser", "chromium", "chromium-browser", "google-chrome"),
    /** The server of the peer of that name, which knows itself where to look. */
    ETCD("etcd"),
    /** To make network namespaces. */
    IP("ip", "ip"),
    /** Permission to trace another process. */
    PTRACE("ptrace"),
    /** To be root. */
    ROOT("root"),
    /** To drop root. */
    SETPRIV("setpriv", "setpriv"),
    /** To serve connections of ssh. */
    SSHD("sshd", "sshd"),
    /** To trace and to delay system calls. */
    STRACE("strace", "strace"),
    /** To run a process on some processors alone. */
    TASKSET("taskset", "taskset"),
    /** Two processors that this process may use. */
    TWO_PROCESSORS("two-processors");

    /** Names of needs, with commas between them: a test that lacks one of these fails and is not skipped. */
    public static final String REQUIRED = "echo.test.required";

    private static final List<String> ADMIN_FOLDERS = List.of("/usr/sbin", "/sbin");

    private final String label;
    private final List<String> programs;

    Need(final String label, final String... programs)
    {
        this.label = label;
        this.programs = List.of(programs);
    }

    /**
     * The need of a name.
     *
     * @param label as in {@value #REQUIRED}.
     * @throws IllegalArgumentException if there is none of that name; the message lists those that there are.
     */
    public static Need of(final String label)
    {
        return Arrays.stream(values()).filter((need) -> need.label.equals(label)).findFirst().orElseThrow(() ->
            new IllegalArgumentException("'" + label + "' is not the name of a need; allowed are " +
                Arrays.stream(values()).map((need) -> need.label).collect(Collectors.joining(", "))));
    }

    /**
     * Skip the calling test unless this process is root.
     */
    public static void root()
    {
        ROOT.check("root".equals(System.getProperty("user.name")), "the tests do not run as root");
    }

    /**
     * The program that meets this need, or the end of the calling test.
     *
     * @return the first one of its names on the PATH, or in the folders of programs for administrators.
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
     * Go on with the calling test if the need is met; else it is skipped, or fails where the need is required.
     *
     * @param isMet  whether it is.
     * @param reason of a test that cannot run.
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
