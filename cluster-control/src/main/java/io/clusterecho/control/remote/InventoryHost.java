package io.clusterecho.control.remote;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.process.CommandHint;
import io.clusterecho.settings.Settings;

/**
 * One host of an inventory. Immutable.
 *
 * @param roles         what runs there.
 * @param address       for the cluster's traffic.
 * @param interfaceName that must have this address, or empty.
 * @param mtuLength     required MTU of this interface in bytes, or 0.
 * @param cores         that processes are pinned to, or empty.
 */
public record InventoryHost(
    String name,
    List<Role> roles,
    String address,
    String interfaceName,
    int mtuLength,
    String cores,
    String target,
    List<String> sshOptions,
    Path folder,
    Path data,
    String java)
{
    static InventoryHost of(final String name, final Settings settings)
    {
        final String ssh = settings.value(HostSettings.SSH);
        final String target = ssh.isEmpty() ? name : ssh;
        final String address = settings.value(HostSettings.ADDRESS);
        return new InventoryHost(
            name, settings.value(HostSettings.ROLES), address.isEmpty() ? target : address,
            settings.value(HostSettings.INTERFACE), settings.value(HostSettings.MTU), settings.value(HostSettings.CORES),
            target, sshOptions(settings), settings.value(HostSettings.FOLDER), settings.value(HostSettings.DATA),
            settings.value(HostSettings.JAVA));
    }

    private static List<String> sshOptions(final Settings settings)
    {
        final List<String> options = new ArrayList<>();
        final String user = settings.value(HostSettings.USER);
        final int port = settings.value(HostSettings.PORT);
        final String key = settings.value(HostSettings.KEY);
        if (!user.isEmpty())
        {
            options.addAll(List.of("-l", user));
        }
        if (port > 0)
        {
            options.addAll(List.of("-p", String.valueOf(port)));
        }
        if (!key.isEmpty())
        {
            options.addAll(List.of("-i", key, "-o", "IdentitiesOnly=yes"));
        }
        final String further = settings.value(HostSettings.OPTIONS);
        if (!further.isBlank())
        {
            options.addAll(List.of(further.strip().split("\\s+")));
        }

        return List.copyOf(options);
    }

    ControlFailure failure(final String reason)
    {
        return new ControlFailure(ControlFailure.NOT_READY, "host " + name + " (ssh " + target + "): " + reason);
    }

    /** A command line that runs a shell command on the host over ssh, without a terminal and without prompts. */
    public List<String> overSsh(final String command)
    {
        final List<String> words = new ArrayList<>(List.of(
            "ssh", "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "-o", "ServerAliveInterval=5",
            "-o", "ServerAliveCountMax=4"));
        words.addAll(sshOptions);
        words.add(target);
        words.add(command);
        return List.copyOf(words);
    }

    /** A shell command that runs a jar of the distribution there, on the host's cores, with arguments quoted for a shell. */
    public String javaCommand(final String jvmOptions, final String jar, final String arguments)
    {
        return (cores.isEmpty() ? "" : "taskset -c " + cores + " ") + java + " " + jvmOptions + " -jar " +
            CommandHint.quoted(folder.resolve(jar)) + " " + arguments;
    }
}
