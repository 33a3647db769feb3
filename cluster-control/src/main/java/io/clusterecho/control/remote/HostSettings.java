package io.clusterecho.control.remote;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.clusterecho.settings.Setting;

/** Keys of a host in an inventory: plain for all hosts, or prefixed with {@code host.NAME.} for one. */
final class HostSettings
{
    static final Setting<List<Role>> ROLES = new Setting<>(
        "roles", "", "'member N', 'backup', 'client N' and 'peer', separated by commas, with N from 0 to 98",
        "Processes that run on the host.", HostSettings::parseRoles);
    static final Setting<String> ADDRESS = ofPattern(
        "address", "", "[A-Za-z0-9._-]*|\\[[0-9A-Fa-f:.]+]", "a name, an IPv4 address or an IPv6 address in brackets",
        "Address for the cluster's traffic; empty: the ssh address.");
    static final Setting<String> INTERFACE = ofPattern(
        "interface", "", "[A-Za-z0-9._:@-]*", "the name of a network interface",
        "Network interface that must have that address; checked before members are started.");
    static final Setting<Integer> MTU = Setting.ofInt(
        "mtu", "0", 0, 65536, "Required MTU of this interface in bytes, checked before members are started; 0: no check.");
    static final Setting<String> CORES = ofPattern(
        "cores", "", "([0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*)?", "numbers and ranges of cores, as in 2-5,8",
        "Cores that processes on the host are pinned to; empty: all.");
    static final Setting<String> SSH = ofPattern(
        "ssh", "", "([A-Za-z0-9_\\[][A-Za-z0-9._:%\\]-]*)?", "a name or address as accepted by ssh",
        "Host name or address for ssh; empty: the name in the inventory.");
    static final Setting<String> USER = ofPattern(
        "ssh.user", "", "[A-Za-z0-9._-]*", "a user name", "User for ssh; empty: from ssh's configuration.");
    static final Setting<Integer> PORT = Setting.ofInt(
        "ssh.port", "0", 0, 65535, "Port for ssh; 0: from ssh's configuration.");
    static final Setting<String> KEY = Setting.ofText(
        "ssh.key", "", "a file that only its owner can read", "Private key for ssh; empty: from ssh's configuration.");
    static final Setting<String> OPTIONS = Setting.ofText(
        "ssh.options", "", "words separated by blanks, as in -o ProxyJump=bastion", "Further options for ssh.");
    static final Setting<Path> FOLDER = ofFolder(
        "folder", "/opt/cluster-echo", "Folder of the unpacked distribution.");
    static final Setting<Path> DATA = ofFolder(
        "data", "/var/tmp/cluster-echo", "Parent folder of members' data; a cluster with base folder DIR uses a subfolder DIR.");
    static final Setting<String> JAVA = ofPattern(
        "java", "java", "[A-Za-z0-9._/+-]+", "a command without blanks", "The java command of JDK 17 or later.");

    static final List<Setting<?>> ALL =
        List.of(ROLES, ADDRESS, INTERFACE, MTU, CORES, SSH, USER, PORT, KEY, OPTIONS, FOLDER, DATA, JAVA);

    private HostSettings()
    {
    }

    private static Setting<String> ofPattern(
        final String key, final String defaultText, final String pattern, final String allowed, final String doc)
    {
        return new Setting<>(key, defaultText, allowed, doc, (text) ->
        {
            if (!text.matches(pattern))
            {
                throw new IllegalArgumentException();
            }
            return text;
        });
    }

    private static Setting<Path> ofFolder(final String key, final String defaultText, final String doc)
    {
        return new Setting<>(key, defaultText, "an absolute path without quotes and line breaks", doc, (text) ->
        {
            if (!text.startsWith("/") || text.contains("'") || text.contains("\n"))
            {
                throw new IllegalArgumentException();
            }
            return Path.of(text).normalize();
        });
    }

    private static List<Role> parseRoles(final String text)
    {
        final List<Role> roles = new ArrayList<>();
        for (final String word : text.isBlank() ? new String[0] : text.split("\\s*,\\s*", -1))
        {
            roles.add(Role.parse(word));
        }

        return List.copyOf(roles);
    }
}
