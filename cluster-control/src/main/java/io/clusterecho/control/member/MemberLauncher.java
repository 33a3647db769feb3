package io.clusterecho.control.member;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.process.ChildProcess;
import io.clusterecho.process.JavaCommand;
import io.clusterecho.process.Launch;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.threads.Compilers;

/** How to start the process of a member: JVM, file of JVM flags ({@code java @FILE}), and jar ({@code java -jar}). Immutable. */
public record MemberLauncher(Path jar, Path jvmOptions, List<String> flags)
{
    /** Path of the file of JVM flags, relative to the jar. */
    public static final String JVM_OPTIONS = "config/jvm/node.options";

    /** JVM flag before the jar of another Aeron: the boot class loader prefers its classes to those of the class path. */
    static final String AERON = "-Xbootclasspath/a:";
    private static final String MAVEN = "mvn";
    private static final long FETCH_TIMEOUT_NS = 300_000_000_000L;

    /** Rejects files that do not exist. */
    public MemberLauncher
    {
        InvalidSettingException.throwIf(
            !Files.isRegularFile(jar) || !jar.toString().endsWith(".jar"), "jar", jar,
            "cluster-node.jar from the build: run the command from that jar");
        InvalidSettingException.throwIf(
            !Files.isReadable(jvmOptions), "--jvm-options", jvmOptions,
            "a readable file of JVM flags; default: " + JVM_OPTIONS + " beside the jar");
    }

    /** The jar that this code runs from, with a file of JVM flags, or null for the one beside the jar. */
    public static MemberLauncher ofThisJar(final Path jvmOptions)
    {
        final Path jar = JavaCommand.placeOf(MemberLauncher.class);
        return new MemberLauncher(
            jar, null == jvmOptions ? jar.resolveSibling(JVM_OPTIONS) : jvmOptions.toAbsolutePath(), List.of());
    }

    public MemberLauncher with(final String flag)
    {
        return new MemberLauncher(jar, jvmOptions, Stream.concat(flags.stream(), Stream.of(flag)).toList());
    }

    public MemberLauncher ofJar(final Path otherJar)
    {
        return new MemberLauncher(otherJar, jvmOptions, flags);
    }

    /** A launcher with the flags of a profile, in {@code node-PROFILE.options} beside the common file, and of the compilers. */
    public MemberLauncher ofConfig(final NodeConfig config)
    {
        final Path file = optionsOf(jvmOptions, config.profile());
        final MemberLauncher ofProfile = Files.isReadable(file) ? with("@" + file) : this;
        final MemberLauncher compiling = config.isFirstCompilerAlone() ? ofProfile.with(Compilers.FIRST_ALONE_FLAG) : ofProfile;
        return config.value(NodeSettings.AERON_VERSION).isEmpty() ? compiling : compiling.with(AERON + aeronJar(config));
    }

    /** The jar of a version of Aeron in the folder of the settings, or in that of Maven, which fetches it if need be. */
    private static Path aeronJar(final NodeConfig config)
    {
        final String version = config.value(NodeSettings.AERON_VERSION);
        final String given = config.value(NodeSettings.AERON_JARS);
        final Path jar = Path.of(
            given.isEmpty() ? System.getProperty("user.home") + "/.m2/repository/io/aeron/aeron-all/" + version : given,
            "aeron-all-" + version + ".jar").toAbsolutePath();
        final String reason = given.isEmpty() && !Files.isReadable(jar) && Launch.find(MAVEN).isPresent() ?
            fetch(MAVEN, version).map((failure) -> " (" + failure + ")").orElse("") : "";
        InvalidSettingException.throwIf(
            !Files.isReadable(jar), NodeSettings.AERON_VERSION.key(), version, "a version that is here or that mvn finds; " +
            "there is no " + jar + reason + ": set " + NodeSettings.AERON_JARS.key());
        return jar;
    }

    /** Have Maven fetch the jar of a version; returns its first error, or how it ended otherwise, if it fails. */
    static Optional<String> fetch(final String maven, final String version)
    {
        final Queue<String> output = new ConcurrentLinkedQueue<>();
        return new Launch(MAVEN, List.of(
            maven, "-q", "-B", "dependency:get", "-Dtransitive=false", "-Dartifact=io.aeron:aeron-all:" + version))
            .output(output::add).run(FETCH_TIMEOUT_NS).map((ending) -> output.stream()
            .filter((line) -> line.startsWith("[ERROR]")).findFirst().orElse(ending));
    }

    /** File with the flags of a profile, which need not exist. */
    public static Path optionsOf(final Path jvmOptions, final String profile)
    {
        return jvmOptions.resolveSibling(
            jvmOptions.getFileName().toString().replaceFirst("(\\.options)?$", "-" + profile + ".options"));
    }

    /**
     * Start a process that outlives this one. It inherits the working folder, reads nothing, and appends its output to a file.
     * Its crash reports go to the folder of the member; the prefix are words before the command of the JVM.
     */
    public ChildProcess launch(final Path memberDir, final Path logFile, final List<String> prefix, final List<String> arguments)
    {
        final List<String> all = Stream.of(
            List.of("@" + jvmOptions), new ClassArchive(jar, flags).flags(), flags,
            List.of("-XX:ErrorFile=" + memberDir.resolve("hs_err_pid%p.log"))).flatMap(List::stream).toList();
        final List<String> command =
            Stream.concat(prefix.stream(), JavaCommand.ofJar(jar, all, arguments).stream()).toList();
        // The program of the prefix is not checked: its failure appears in the member's log like any other.
        return new Launch("the process of a member", command)
            .output(ProcessBuilder.Redirect.appendTo(logFile.toFile())).start(ProcessBuilder::start);
    }
}
