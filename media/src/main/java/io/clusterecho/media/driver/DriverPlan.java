package io.clusterecho.media.driver;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

import io.clusterecho.process.JavaCommand;
import io.clusterecho.process.Launch;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Setting;
import io.clusterecho.settings.Settings;

/**
 * The driver of a process, from its settings.
 *
 * @param command line that starts it, empty for a driver that is not started.
 * @param library the embedded driver, or sockets for an aeronmd of the same build; null for none.
 * @param folderKey setting of the folder, for errors.
 * @param folder of a client's or a peer's driver that already runs; empty for others.
 */
public record DriverPlan(
    String kind, List<String> command, int receiveVector, int sendVector, int messagesPerSend,
    Path library, String folderKey, String folder)
{
    public static final DriverPlan JAVA = new DriverPlan(DriverKeys.JAVA, List.of(), 0, 0, 0, null, "", "");

    private static final String C_DRIVER = "aeronmd";
    private static final String BUILD_FOLDER = ".c-driver/";
    private static final String LIBRARY = "libembedded-driver.so";
    /** Up from the classes of a module of a checkout, which are in its target/classes. */
    private static final int FOLDERS_SEARCHED = 4;

    /** @throws InvalidSettingException for a program that does not exist, or a setting that the kind does not have. */
    public static DriverPlan of(final Settings settings, final DriverKeys keys)
    {
        final String kind = settings.value(keys.kind());
        final String text = settings.value(keys.command()).trim();
        if (DriverKeys.JAVA.equals(kind))
        {
            for (final Setting<?> setting : keys.all())
            {
                // A default value in a file is fine, as in the settings that a local cluster keeps.
                InvalidSettingException.throwIf(
                    setting != keys.kind() && !setting.defaultText().equals(settings.text(setting).trim()), setting.key(),
                    settings.text(setting), "must not be set with " + keys.kind().key() + "=java");
            }
            return JAVA;
        }

        InvalidSettingException.throwIf(
            DriverKeys.EMBEDDED.equals(kind) && !text.isEmpty(), keys.command().key(), text,
            "must not be set with " + keys.kind().key() + "=embedded");

        final List<String> words = text.isEmpty() ? List.of() : List.of(text.split("\\s+"));
        final List<String> command = words.isEmpty() && DriverKeys.C.equals(kind) ? List.of(cDriver(keys)) : words;
        if (!command.isEmpty() && Launch.find(command.get(0)).isEmpty())
        {
            throw new InvalidSettingException(
                keys.command().key(), text, "a program, with its path or on the PATH; there is no executable " +
                command.get(0));
        }

        return new DriverPlan(
            kind, command, settings.value(keys.receiveVector()), settings.value(keys.sendVector()),
            settings.value(keys.messagesPerSend()),
            DriverKeys.EMBEDDED.equals(kind) ? embeddedDriver(built(LIBRARY), keys) : socketsFor(command), keys.folder(), "");
    }

    /** As {@link #of(Settings, DriverKeys)}, for a process that names a folder exactly if a driver already runs there. */
    public static DriverPlan of(final Settings settings, final DriverKeys keys, final String folder)
    {
        final DriverPlan plan = of(settings, keys);
        InvalidSettingException.throwIf(
            plan.isFound() && folder.isEmpty(), keys.folder(), folder,
            "the folder of a running media driver, for an external driver without a command");
        InvalidSettingException.throwIf(
            !plan.isFound() && !folder.isEmpty(), keys.folder(), folder,
            "not given unless the driver is external and has no command; it is " + plan.text());
        return new DriverPlan(
            plan.kind, plan.command, plan.receiveVector, plan.sendVector, plan.messagesPerSend, plan.library,
            keys.folder(), folder);
    }

    /** Whether the driver runs in this process, as the Java driver and the embedded C driver do. */
    public boolean isInProcess()
    {
        return isJava() || isEmbedded();
    }

    /** Whether it is the Java driver, whose endpoints can be replaced. */
    public boolean isJava()
    {
        return DriverKeys.JAVA.equals(kind);
    }

    /** Whether it is the C driver in this process, which needs a thread of this process to run it. */
    public boolean isEmbedded()
    {
        return DriverKeys.EMBEDDED.equals(kind);
    }

    /** Whether the driver is started and stopped by somebody else, as an external one without a command. */
    public boolean isFound()
    {
        return DriverKeys.EXTERNAL.equals(kind) && command.isEmpty();
    }

    /** Kind, and the command if there is one. */
    public String text()
    {
        return command.isEmpty() ? kind : kind + " (" + String.join(" ", command) + ")";
    }

    private static String cDriver(final DriverKeys keys)
    {
        return built(C_DRIVER).filter(Files::isExecutable).or(() -> Launch.find(C_DRIVER)).orElseThrow(
            () -> new InvalidSettingException(
                keys.kind().key() + "=c needs " + C_DRIVER + ", which is neither in " + BUILD_FOLDER + C_DRIVER +
                " beside the jar nor on the PATH: run scripts/build-c-driver.sh, or set " + keys.command().key()))
            .toString();
    }

    static Path embeddedDriver(final Optional<Path> built, final DriverKeys keys)
    {
        return built.orElseThrow(
            () -> new InvalidSettingException(
                keys.kind().key() + "=embedded needs " + BUILD_FOLDER + LIBRARY +
                " beside the jar, which does not exist: run scripts/build-c-driver.sh"));
    }

    /** The library that the same build made, if the command is nothing but that build's aeronmd. */
    private static Path socketsFor(final List<String> command)
    {
        return built(LIBRARY)
            .filter((library) -> command.equals(List.of(library.resolveSibling(C_DRIVER).toString())))
            .orElse(null);
    }

    private static Optional<Path> built(final String name)
    {
        return Stream.iterate(JavaCommand.placeOf(DriverPlan.class).getParent(), Objects::nonNull, Path::getParent)
            .limit(FOLDERS_SEARCHED).map((folder) -> folder.resolve(BUILD_FOLDER + name))
            .filter((file) -> Files.isRegularFile(file)).findFirst();
    }
}
