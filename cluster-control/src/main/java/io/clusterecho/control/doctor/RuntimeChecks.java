package io.clusterecho.control.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.clusterecho.host.HostFiles;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.threads.Compilers;

/** Checks of the JVM: version, flags and limit of open files. */
record RuntimeChecks(HostPlan plan, HostFiles files, JvmFlags flags)
{
    private static final List<Integer> KNOWN_VERSIONS = List.of(17, 21, 25);
    /** A JVM takes further flags from these, which appear in no file and on no command line. */
    private static final List<String> FLAG_VARIABLES = List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");
    private static final List<String> NEEDED_FLAGS =
        List.of("-XX:+ExitOnOutOfMemoryError", "-XX:+AlwaysPreTouch", "-XX:+PerfDisableSharedMem");
    private static final List<String> HARMFUL_FLAGS = List.of("-Xint", "-Xcomp", Compilers.FIRST_ALONE_FLAG, "-Xdebug");
    private static final int FILES_OF_A_MEMBER = 512;
    private static final int FILES_OF_A_SESSION = 4;
    private static final String OPEN_FILES = "Max open files";

    List<Check> all()
    {
        return List.of(
            jdk(Runtime.version().feature(), System.getProperty("java.vm.name"), System.getProperty("os.arch")),
            jvmFlags(System.getenv()), openFiles());
    }

    Check jdk(final int version, final String name, final String architecture)
    {
        final String found = version + ", " + name + ", " + architecture;
        if (!architecture.contains("64"))
        {
            return Check.fail("jdk", found, "a 64-bit JVM, for buffers of this length", "install another JDK, 17 or later");
        }
        if (name.contains("Zero"))
        {
            return Check.fail("jdk", found, "a JVM with a compiler", "install another JDK, 17 or later");
        }

        return KNOWN_VERSIONS.contains(version) ? Check.ok("jdk", found) : Check.warn(
            "jdk", found, "17, 21 or 25, the tested versions", "install one of these");
    }

    Check jvmFlags(final Map<String, String> environment)
    {
        if (null != flags.problem())
        {
            return Check.fail(
                "jvm flags", flags.problem(), "a readable file of JVM flags", "scripts/start-cluster.sh --jvm-options FILE");
        }

        final List<String> problems = new ArrayList<>();
        NEEDED_FLAGS.stream().filter((flag) -> !flags.has(flag)).forEach((flag) -> problems.add("without " + flag));
        HARMFUL_FLAGS.stream().filter(flags::has)
            .filter((flag) -> !plan.config().isFirstCompilerAlone() || !Compilers.FIRST_ALONE_FLAG.equals(flag))
            .forEach((flag) -> problems.add("with " + flag));
        // Only whether they are set: their values may be secret.
        FLAG_VARIABLES.stream().filter((name) -> !environment.getOrDefault(name, "").isBlank())
            .forEach((name) -> problems.add("plus those of " + name));
        final String found = flags.flags().size() + " flags from " + plan.jvmOptions();
        if (problems.isEmpty())
        {
            return Check.ok("jvm flags", found);
        }

        final boolean isOfVariable = problems.stream().allMatch((problem) -> problem.startsWith("plus "));
        return Check.warn(
            "jvm flags", found + ", " + String.join(", ", problems),
            "the flags that published results were measured with; the file gives a reason for each",
            isOfVariable ? "unset " + String.join(" ", FLAG_VARIABLES) : "git checkout config/jvm/node.options");
    }

    /** A JVM raises its soft limit to the hard limit by itself. */
    Check openFiles()
    {
        final int sessions = plan.config().value(NodeSettings.MAX_SESSIONS);
        final long wanted = FILES_OF_A_MEMBER + (long)FILES_OF_A_SESSION * sessions;
        final Optional<String> limit = files.lines("proc/self/limits").stream().filter((line) -> line.startsWith(OPEN_FILES))
            .map((line) -> line.substring(OPEN_FILES.length()).trim().split("\\s+")).filter((words) -> words.length >= 2)
            .map((words) -> words[1]).findFirst();
        if (limit.isEmpty())
        {
            return Check.unknown("open files", "/proc/self/limits has no such limit", wanted + " or more");
        }

        final boolean isEnough = "unlimited".equals(limit.get()) || Long.parseLong(limit.get()) >= wanted;
        return isEnough ? Check.ok("open files", limit.get() + " per process") : Check.fail(
            "open files", limit.get() + " per process",
            wanted + " for a member with " + NodeSettings.MAX_SESSIONS.key() + "=" + sessions,
            "sudo prlimit --pid $$ --nofile=65536:65536 # for a container: --ulimit nofile=65536");
    }
}
