package io.clusterecho.control.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.clusterecho.host.HostFiles;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.process.CommandHint;

/** A kernel setting of {@code config/host/settings.txt}, which describes the fields; {@code prepare-host.sh} reads it too. */
record KernelSetting(String name, String file, String rule, String value, String guide, String check, String reason)
{
    private static final int FIELD_COUNT = 7;
    private static final long MEMORY_DIVISOR = 100;
    private static final String RATIO = "_ratio";
    private static final String SYSCTL_FOLDER = "proc/sys/";

    static List<KernelSetting> all()
    {
        return BuildFacts.text("/io/clusterecho/control/doctor/settings.txt").lines()
            .filter((line) -> !line.isBlank() && !line.startsWith("#")).map((line) -> line.split("\\|", FIELD_COUNT))
            .map((field) -> new KernelSetting(field[0], field[1], field[2], field[3], field[4], field[5], field[6])).toList();
    }

    /** Compare a host with the settings of one check; those that it does not have are left out. */
    static Check check(final String name, final HostFiles files)
    {
        final List<String> found = new ArrayList<>();
        final List<String> wanted = new ArrayList<>();
        final List<String> assignments = new ArrayList<>();
        final List<String> fixes = new ArrayList<>();
        final List<KernelSetting> settings =
            all().stream().filter((one) -> one.check.equals(name) && !one.value.isEmpty()).toList();
        for (final KernelSetting setting : settings)
        {
            final String bytesFile = setting.file.replace(RATIO, "_bytes");
            final Optional<String> now = files.text(setting.file).map((text) -> text.replaceAll("\\s+", " ").trim());
            final Optional<String> value = !"memory".equals(setting.rule) ? Optional.of(setting.value) :
                memoryKb(files, "MemTotal")
                .map((total) -> String.valueOf(Math.min(Long.parseLong(setting.value), total / MEMORY_DIVISOR)));
            final boolean isInBytes = !bytesFile.equals(setting.file) && files.number(bytesFile).orElse(0L) > 0;
            if (isInBytes)
            {
                found.add(setting.name.replace(RATIO, "_bytes") + "=" + files.number(bytesFile).orElseThrow());
            }
            else if (now.isPresent() && value.isPresent())
            {
                found.add(setting.name + "=" + now.get());
                if (!setting.isMet(now.get(), value.get()))
                {
                    final String text = "last".equals(setting.rule) ?
                        now.get().replaceFirst("[^ ]*$", "") + value.get() : value.get();
                    wanted.add(setting.name + " " + setting.wanted(value.get()) + ", because " + setting.reason);
                    if (setting.file.startsWith(SYSCTL_FOLDER))
                    {
                        assignments.add(setting.name + "=" + CommandHint.quoted(text));
                    }
                    else
                    {
                        fixes.add("echo " + text + " | sudo tee /" + setting.file);
                    }
                }
            }
        }
        if (!assignments.isEmpty())
        {
            fixes.add(0, "sudo sysctl -w " + String.join(" ", assignments));
        }
        return found.isEmpty() ? Check.unknown(name, "there is no /" + settings.get(0).file, settings.get(0).value) :
            Check.of(name, String.join(", ", found))
            .warnIf(!wanted.isEmpty(), String.join("; ", wanted), String.join("; ", fixes));
    }

    String wanted(final String onHost)
    {
        return switch (rule)
        {
            case "least", "last", "memory" -> onHost + " or more";
            case "most" -> onHost + " or less";
            default -> onHost;
        };
    }

    /** A line of the kernel's account of memory, in KB. */
    static Optional<Long> memoryKb(final HostFiles files, final String key)
    {
        return files.keyed("proc/meminfo", key + ":").map((text) -> text.replace(" kB", ""))
            .filter((text) -> text.matches("[0-9]{1,15}")).map(Long::valueOf);
    }

    private boolean isMet(final String now, final String onHost)
    {
        final String last = now.substring(now.lastIndexOf(' ') + 1);
        final boolean isNumber = last.matches("[0-9]{1,15}");
        return switch (rule)
        {
            case "least", "last", "memory" -> isNumber && Long.parseLong(last) >= Long.parseLong(onHost);
            case "most" -> isNumber && Long.parseLong(last) <= Long.parseLong(onHost);
            case "choice" -> now.contains("[" + onHost + "]") || now.contains("[never]");
            default -> now.equals(onHost);
        };
    }
}
