package io.clusterecho.control.doctor;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import io.aeron.CncFileDescriptor;
import io.aeron.archive.ArchiveMarkFile;

import io.clusterecho.host.HostFiles;
import io.clusterecho.node.config.MemberEndpoints;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.member.FolderLock;
import io.clusterecho.node.member.MemberFolder;
import io.clusterecho.node.member.Preflight;
import io.clusterecho.process.CommandHint;
import io.clusterecho.settings.InvalidSettingException;

/** Checks for leftovers of earlier runs: folders of dead drivers, folders of members, ports in use. */
record LeftoverChecks(HostPlan plan, HostFiles files)
{
    private static final String SHARED_MEMORY = "dev/shm";
    private static final String EPHEMERAL_PORTS = "proc/sys/net/ipv4/ip_local_port_range";
    private static final String PREFIX = "cluster-echo-";
    private static final String NO_RUNNING_MEMBER = "no running member in the folder";

    List<Check> all()
    {
        return List.of(driverFolders(), memberFolders(), ports());
    }

    Check driverFolders()
    {
        final List<String> dead = new ArrayList<>();
        final List<String> unread = new ArrayList<>();
        int living = 0;
        for (final String name : files.names(SHARED_MEMORY))
        {
            final File cncFile = files.path(SHARED_MEMORY + "/" + name + "/" + CncFileDescriptor.CNC_FILE).toFile();
            if (!name.startsWith(PREFIX))
            {
                continue;
            }
            if (!Files.isReadable(cncFile.getParentFile().toPath()) || cncFile.exists() && !cncFile.canRead())
            {
                unread.add("/" + SHARED_MEMORY + "/" + name);
            }
            else if (cncFile.exists() && Preflight.liveDriver(cncFile).isPresent())
            {
                living++;
            }
            else
            {
                dead.add("/" + SHARED_MEMORY + "/" + name);
            }
        }

        return dead.isEmpty() && !unread.isEmpty() ? Check.unknown(
            "left drivers", "no permission to read " + String.join(" ", unread), "none of dead processes") : Check.of(
            "left drivers", dead.isEmpty() ? "none dead, " + living + " in use" :
            dead.size() + " of dead processes: " + String.join(" ", dead)).warnIf(
            !dead.isEmpty(), "none, because they occupy shared memory",
            // Anyone with write access chooses these names.
            "rm -r " + dead.stream().map(CommandHint::quoted).collect(Collectors.joining(" ")));
    }

    /** A mark file only says that a member may work in a folder; the lock is held only by a member that does. */
    Check memberFolders()
    {
        final List<String> used = new ArrayList<>();
        final List<String> ended = new ArrayList<>();
        final List<String> unread = new ArrayList<>();
        for (final MemberEndpoints member : plan.members())
        {
            final Path folder = NodeConfig.memberDir(plan.config().baseDir(), member.memberId());
            final Path lockFile = folder.resolve(FolderLock.FILE);
            if (!Files.notExists(lockFile) && !Files.isReadable(lockFile))
            {
                unread.add(folder.toString());
            }
            else if (FolderLock.holder(folder).isPresent())
            {
                used.add(folder.toString());
            }
            else if (Files.exists(folder.resolve(MemberFolder.ARCHIVE_DIR).resolve(ArchiveMarkFile.FILENAME)))
            {
                ended.add(folder.toString());
            }
        }

        final String stop = CommandHint.of("cluster-node", "stop --base-dir ") + CommandHint.quoted(plan.config().baseDir());
        if (!used.isEmpty())
        {
            return Check.of("left members", "in use: " + String.join(" ", used)).failIf(true, NO_RUNNING_MEMBER, stop);
        }
        return !unread.isEmpty() ? Check.unknown(
            "left members", "no permission to check " + String.join(" ", unread), NO_RUNNING_MEMBER) : Check.of(
            "left members", ended.isEmpty() ? "none below " + plan.config().baseDir() :
            "data of earlier members: " + String.join(" ", ended)).warnIf(
            !ended.isEmpty(), "a decision: the next start resumes from the log there, and removes stale mark files",
            stop + " --delete-data # starts with an empty log");
    }

    Check ports()
    {
        final NodeConfig config = plan.config();
        final List<String> problems = new ArrayList<>();
        for (final MemberEndpoints member : plan.members())
        {
            try
            {
                Preflight.checkPorts(member);
            }
            catch (final InvalidSettingException ex)
            {
                problems.add(ex.getMessage());
            }
        }

        final String range = "UDP ports from " + config.value(NodeSettings.BASE_PORT);
        if (!problems.isEmpty())
        {
            return Check.of("ports", String.join("; ", problems)).failIf(
                true, range + " free for " + plan.memberCount() + " members",
                "ss -ulpn # names the process; or scripts/start-cluster.sh --base-port PORT");
        }

        // Media drivers bind with SO_REUSEADDR, so the kernel may give a member's port to a client that asks for any.
        final String[] ephemeral = files.text(EPHEMERAL_PORTS).map(String::strip).orElse("").split("\\s+");
        final int first = config.value(NodeSettings.BASE_PORT);
        final int last = plan.members().stream().mapToInt(MemberEndpoints::probePort).max().orElse(0);
        final boolean isEphemeral = 2 == ephemeral.length && Integer.parseInt(ephemeral[0]) <= last &&
            first <= Integer.parseInt(ephemeral[1]);
        return Check.of(
            "ports", isEphemeral ? "ports " + first + " to " + last + " are in the kernel's range of ephemeral ports, " +
            String.join("-", ephemeral) : plan.members().isEmpty() ? "no member needs a port" : range + " are free").warnIf(
            isEphemeral, "ports outside it, because the kernel may give one to the socket of a client too",
            "scripts/start-cluster.sh --base-port " + NodeSettings.BASE_PORT.defaultText());
    }
}
