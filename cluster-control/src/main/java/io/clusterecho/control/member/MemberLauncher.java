package io.clusterecho.control.member;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.clusterecho.process.ChildProcess;
import io.clusterecho.process.JavaCommand;
import io.clusterecho.process.Launch;
import io.clusterecho.settings.InvalidSettingException;

/**
 * How the process of a member is started: which JVM, flags and jar. Immutable; any thread may use it.
 *
 * @param jar        with the member's code, runnable with {@code java -jar}.
 * @param jvmOptions file of JVM flags, passed as {@code java @FILE}.
 * @param flags      further ones.
 */
public record MemberLauncher(Path jar, Path jvmOptions, List<String> flags)
{
    /**
     * Where the file of JVM flags stands, seen from the jar.
     */
    public static final String JVM_OPTIONS = "config/jvm/node.options";

    /**
     * Checks that both files are there.
     *
     * @throws InvalidSettingException that names the one that is missing.
     */
    public MemberLauncher
    {
        if (!Files.isRegularFile(jar) || !jar.toString().endsWith(".jar"))
        {
            throw new InvalidSettingException("jar", jar, "cluster-node.jar as the build makes it: run the command from it");
        }
        if (!Files.isReadable(jvmOptions))
        {
            throw new InvalidSettingException(
                "--jvm-options", jvmOptions, "a readable file of JVM flags; " + JVM_OPTIONS + " beside the jar by default");
        }
    }

    /**
     * No further flags.
     *
     * @param jar        with the member's code, runnable with {@code java -jar}.
     * @param jvmOptions file of JVM flags.
     * @throws InvalidSettingException that names the one that is missing.
     */
    public MemberLauncher(final Path jar, final Path jvmOptions)
    {
        this(jar, jvmOptions, List.of());
    }

    /**
     * The jar that this code runs from.
     *
     * @param jvmOptions file of JVM flags, or null for the one that stands beside the jar.
     * @return a launcher of it.
     */
    public static MemberLauncher ofThisJar(final Path jvmOptions)
    {
        final Path jar = JavaCommand.placeOf(MemberLauncher.class);
        return new MemberLauncher(jar, null == jvmOptions ? jar.resolveSibling(JVM_OPTIONS) : jvmOptions.toAbsolutePath());
    }

    /**
     * The same with one flag more.
     *
     * @param flag of the JVM.
     * @return another launcher.
     */
    public MemberLauncher with(final String flag)
    {
        final List<String> all = new ArrayList<>(flags);
        all.add(flag);
        return new MemberLauncher(jar, jvmOptions, List.copyOf(all));
    }

    /**
     * The same with the flags of a profile: those of a file beside the one that holds for all, as {@code node-dedicated.options}
     * beside {@code node.options}, if there is one.
     *
     * @param profile of the members.
     * @return a launcher of them.
     */
    public MemberLauncher ofProfile(final String profile)
    {
        final Path file = optionsOf(jvmOptions, profile);
        return Files.isReadable(file) ? with("@" + file) : this;
    }

    /**
     * Where the flags of a profile would stand.
     *
     * @param jvmOptions file of flags that hold for all.
     * @param profile    of the members.
     * @return a file that need not be there.
     */
    public static Path optionsOf(final Path jvmOptions, final String profile)
    {
        return jvmOptions.resolveSibling(
            jvmOptions.getFileName().toString().replaceFirst("(\\.options)?$", "-" + profile + ".options"));
    }

    /**
     * Start a process that outlives this one. It works in this process's folder, reads nothing, and appends what it says
     * to a file.
     *
     * @param memberDir folder of the member, where the JVM reports a crash.
     * @param logFile   for its output.
     * @param prefix    words before the JVM's.
     * @param arguments of the member.
     */
    public ChildProcess launch(final Path memberDir, final Path logFile, final List<String> prefix, final List<String> arguments)
    {
        final List<String> all = new ArrayList<>(List.of("@" + jvmOptions));
        all.addAll(new ClassArchive(jar).flags());
        all.addAll(flags);
        all.add("-XX:ErrorFile=" + memberDir.resolve("hs_err_pid%p.log"));
        final List<String> command = new ArrayList<>(prefix);
        command.addAll(JavaCommand.ofJar(jar, all, arguments));
        // Whether its program is there is not looked at before: the member's log says so, as it says whatever else went wrong.
        return new Launch("the process of a member", command)
            .output(ProcessBuilder.Redirect.appendTo(logFile.toFile())).start(ProcessBuilder::start);
    }
}
