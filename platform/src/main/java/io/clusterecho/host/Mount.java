package io.clusterecho.host;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A mounted file system.
 *
 * @param device  or its replacement in the mount table.
 * @param point   folder where it is mounted.
 */
public record Mount(String device, String point, String type, List<String> options)
{
    private static final String TABLE = "proc/self/mounts";
    private static final int FIELD_COUNT = 4;

    /** The mount of an absolute folder, which need not exist; empty if unknown. */
    public static Optional<Mount> of(final HostFiles files, final Path folder)
    {
        return files.lines(TABLE).stream().map((line) -> line.split(" ")).filter((fields) -> fields.length >= FIELD_COUNT)
            .map((fields) -> new Mount(unescaped(fields[0]), unescaped(fields[1]), fields[2], List.of(fields[3].split(","))))
            .filter((mount) -> folder.toAbsolutePath().normalize().startsWith(mount.point))
            // A later mount at the same point hides the earlier one.
            .reduce((found, mount) -> mount.point.length() >= found.point.length() ? mount : found);
    }

    /** As in {@code ext4 on /dev/nvme1n1 at /data (rw,noatime)}. */
    public String text()
    {
        return type + " on " + device + " at " + point + " (" + String.join(",", options) + ")";
    }

    /** The kernel escapes blanks, tabs, line ends and backslashes in octal. */
    private static String unescaped(final String field)
    {
        return field.replace("\\040", " ").replace("\\011", "\t").replace("\\012", "\n").replace("\\134", "\\");
    }
}
