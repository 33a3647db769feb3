package io.clusterecho.host;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Paths of Linux's files about the control groups of this process: version 1, version 2, or both. */
public final class ControlGroups
{
    private static final String MOUNT = "sys/fs/cgroup";

    private ControlGroups()
    {
    }

    /**
     * Files of the group of this process and of all enclosing groups, whose limits apply too: relative to the root, the innermost
     * first; they need not exist. In a container, the group of the process may not be visible; the mounted one is then the
     * container's.
     */
    public static List<String> names(final HostFiles files, final String controller, final String fileName)
    {
        final List<String> names = new ArrayList<>();
        for (final String line : files.lines("proc/self/cgroup"))
        {
            final String[] parts = line.split(":", 3);
            if (3 != parts.length || !parts[2].startsWith("/"))
            {
                continue;
            }
            if (parts[1].isEmpty())
            {
                add(names, MOUNT, parts[2], fileName);
                add(names, MOUNT + "/unified", parts[2], fileName);
            }
            else if (List.of(parts[1].split(",")).contains(controller))
            {
                add(names, MOUNT + "/" + controller, parts[2], fileName);
            }
        }

        return names;
    }

    private static void add(final List<String> names, final String mount, final String group, final String fileName)
    {
        Path folder = Path.of("/").relativize(Path.of(group).normalize());
        while (null != folder)
        {
            names.add(Path.of(mount).resolve(folder).resolve(fileName).toString());
            folder = folder.toString().isEmpty() ? null : null == folder.getParent() ? Path.of("") : folder.getParent();
        }
    }
}
