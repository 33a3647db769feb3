package io.clusterecho.control.remote;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.process.CommandHint;
import io.clusterecho.settings.Setting;
import io.clusterecho.settings.Settings;

/**
 * One host of an inventory. Immutable.
 *
 * @param roles   what runs there.
 * @param address for the cluster's traffic.
 * @param cores   that processes are pinned to, or empty.
 */
public record InventoryHost(
    String name,
    List<Role> roles,
    String address,
    String cores,
    String target,
    List<String> sshOptions,
    Path folder,
    Path data,
    String java)
{
    static final Setting<List<Role>> ROLES = new Setting<>(
        "roles", "", "'member N', 'backup', 'client N' and 'peer', separated by commas, with N from 0 to 98",
        "Processes that run on the host.", InventoryHost::parseRoles);
    static final Setting<String> ADDRESS = ofPattern(
        "address", "", "[A-Za-z0-9._-]*|\\[[0-9A-Fa-f:.]+]", "a name, an IPv4 address or an IPv6 address in brackets",
        "Address for the cluster's traffic; empty: the ssh address.");
    private static final Setting<String> CORES = ofPattern(
        "cores", "", "([0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*)?", "numbers and ranges of cores, as in 2-5,8",
        "Cores that processes on the host are pinned to; empty: all.");
    static final Setting<String> SSH = ofPattern(
        "ssh", "", "([A-Za-z0-9_\\[][A-Za-z0-9._:%\\]-]*)?", "a name or address as accepted by ssh",
        "Host name or address for ssh; empty: the name in the inventory.");
    private static final Setting<String> USER = ofPattern(
        "ssh.user", "", "[A-Za-z0-9._-]*", "a user name", "User for ssh; empty: from ssh's configuration.");
    private static final Setting<Integer> PORT = Setting.ofInt(
        "ssh.port", "0", 0, 65535, "Port for ssh; 0: from ssh's configuration.");
    static final Setting<String> KEY = Setting.ofText(
        "ssh.key", "", "a file that only its owner can read", "Private key for ssh; empty: from ssh's configuration.");
    private static final Setting<String> OPTIONS = Setting.ofText(
        "ssh.options", "", "words separated by blanks, as in -o ProxyJump=bastion", "Further options for ssh.");
    private static final Setting<Path> FOLDER = ofFolder(
        "folder", "/opt/cluster-echo", "Folder of the unpacked distribution.");
    private static final Setting<Path> DATA = ofFolder(
        "data", "/var/tmp/cluster-echo", "Parent folder of members' data; a cluster with base folder DIR uses a subfolder DIR.");
    private static final Setting<String> JAVA = ofPattern(
        "java", "java", "[A-Za-z0-9._/+-]+", "a command without blanks", "The java command of JDK 17 or later.");
    /** Keys of a host: plain for all hosts, or prefixed with {@code host.NAME.} for one. */
    static final List<Setting<?>> SETTINGS =
        List.of(ROLES, ADDRESS, CORES, SSH, USER, PORT, KEY, OPTIONS, FOLDER, DATA, JAVA);

    /** A process on a host: its kind, and the index of a member or client, from 0; 0 for the others. */
    record Role(String kind, int index)
    {
        static final String MEMBER = "member";
        static final String CLIENT = "client";
        static final String BACKUP = "backup";
        static final String PEER = "peer";
        private static final Pattern TEXT = Pattern.compile("(?:(member|client)\\s+([0-8]?[0-9]|9[0-8]))|backup|peer");
    }

    private static Setting<String> ofPattern(
        final String key, final String defaultText, final String pattern, final String allowed, final String doc)
    {
        return new Setting<>(key, defaultText, allowed, doc, (text) -> Setting.checked(text.matches(pattern), text));
    }

    private static Setting<Path> ofFolder(final String key, final String defaultText, final String doc)
    {
        return new Setting<>(
            key, defaultText, "an absolute path without quotes and line breaks", doc,
            (text) -> Path.of(Setting.checked(text.startsWith("/") && !text.matches("(?s).*['\n].*"), text)).normalize());
    }

    private static List<Role> parseRoles(final String text)
    {
        return Stream.of(text.isBlank() ? new String[0] : text.split("\\s*,\\s*", -1)).map((word) ->
        {
            final Matcher role = Role.TEXT.matcher(word);
            Setting.checked(role.matches(), word);
            return null == role.group(1) ? new Role(word, 0) : new Role(role.group(1), Integer.parseInt(role.group(2)));
        }).toList();
    }

    static InventoryHost of(final String name, final Settings settings)
    {
        final String ssh = settings.value(SSH);
        final String target = ssh.isEmpty() ? name : ssh;
        final String address = settings.value(ADDRESS);
        return new InventoryHost(
            name, settings.value(ROLES), address.isEmpty() ? target : address, settings.value(CORES), target,
            sshOptions(settings), settings.value(FOLDER), settings.value(DATA), settings.value(JAVA));
    }

    private static List<String> sshOptions(final Settings settings)
    {
        final int port = settings.value(PORT);
        final String key = settings.value(KEY);
        return Stream.of(
            settings.value(USER).isEmpty() ? List.<String>of() : List.of("-l", settings.value(USER)),
            0 == port ? List.<String>of() : List.of("-p", String.valueOf(port)),
            key.isEmpty() ? List.<String>of() : List.of("-i", key, "-o", "IdentitiesOnly=yes"),
            Stream.of(settings.value(OPTIONS).strip().split("\\s+")).filter((word) -> !word.isEmpty()).toList())
            .flatMap(List::stream).toList();
    }

    /** Indexes of the processes of a kind that run here, in order. */
    List<Integer> indexes(final String kind)
    {
        return roles.stream().filter((role) -> kind.equals(role.kind())).map(Role::index).sorted().toList();
    }

    ControlFailure failure(final String reason)
    {
        return ControlFailure.notReady("host " + name + " (ssh " + target + "): " + reason);
    }

    /** A command line that runs a shell command on the host over ssh, without a terminal and without prompts. */
    public List<String> overSsh(final String command)
    {
        final List<String> ssh = List.of(
            "ssh", "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "-o", "ServerAliveInterval=5",
            "-o", "ServerAliveCountMax=4");
        return Stream.of(ssh, sshOptions, List.of(target, command)).flatMap(List::stream).toList();
    }

    /** As {@link #overSsh(String)}, of a command line. */
    public List<String> overSsh(final List<String> words)
    {
        return overSsh(words.stream().map(CommandHint::quoted).collect(Collectors.joining(" ")));
    }

    /** A shell command that runs a jar of the distribution there, on the host's cores, with arguments quoted for a shell. */
    public String javaCommand(final String jvmOptions, final String jar, final String arguments)
    {
        return (cores.isEmpty() ? "" : "taskset -c " + cores + " ") + java + " " + jvmOptions + " -jar " +
            CommandHint.quoted(folder.resolve(jar)) + " " + arguments;
    }
}
