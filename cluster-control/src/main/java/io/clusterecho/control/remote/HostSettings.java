package io.clusterecho.control.remote;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.clusterecho.settings.Setting;

/**
 * Every key that an inventory knows of a host: as it stands here for all hosts, and with {@code host.NAME.} before it for one.
 */
final class HostSettings
{
    static final Setting<List<Role>> ROLES = new Setting<>(
        "roles", "", "'member N', 'client N' and 'peer', separated by commas, with N from 0 to 98",
        "What runs there.", HostSettings::parseRoles);
    static final Setting<String> ADDRESS = ofPattern(
        "address", "", "[A-Za-z0-9._-]*|\\[[0-9A-Fa-f:.]+]", "a name, an IPv4 address or an IPv6 address in brackets",
        "Where the host takes part in the cluster's traffic; that of ssh when empty.");
    static final Setting<String> INTERFACE = ofPattern(
        "interface", "", "[A-Za-z0-9._:@-]*", "the name of a network interface",
        "The interface that must have that address; checked before members are started.");
    static final Setting<Integer> MTU = Setting.ofInt(
        "mtu", "0", 0, 65536, "MTU in bytes that this interface must have; checked before members are started, unless 0.");
    static final Setting<String> CORES = ofPattern(
        "cores", "", "([0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*)?", "numbers and ranges of cores, as in 2-5,8",
        "Cores that what runs there is pinned to; all of them when empty.");
    static final Setting<String> SSH = ofPattern(
        "ssh", "", "([A-Za-z0-9_\\[][A-Za-z0-9._:%\\]-]*)?", "a name or address as ssh takes it",
        "Where ssh finds the host; its name when empty.");
    static final Setting<String> USER = ofPattern(
        "ssh.user", "", "[A-Za-z0-9._-]*", "the name of a user", "User of ssh; as ssh is configured when empty.");
    static final Setting<Integer> PORT = Setting.ofInt(
        "ssh.port", "0", 0, 65535, "Port of ssh; as ssh is configured when 0.");
    static final Setting<String> KEY = Setting.ofText(
        "ssh.key", "", "a file that only its owner can read", "Private key for ssh; as ssh is configured when empty.");
    static final Setting<String> OPTIONS = Setting.ofText(
        "ssh.options", "", "words separated by blanks, as in -o ProxyJump=bastion", "Further options of ssh.");
    static final Setting<Path> FOLDER = ofFolder(
        "folder", "/opt/cluster-echo", "Folder with the unpacked distribution.");
    static final Setting<Path> DATA = ofFolder(
        "data", "/var/tmp/cluster-echo", "Folder below which members keep their logs, of the cluster in DIR in a folder DIR.");
    static final Setting<String> JAVA = ofPattern(
        "java", "java", "[A-Za-z0-9._/+-]+", "a command, without blanks", "The java command of a JDK 17 or later.");

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
        return new Setting<>(key, defaultText, "an absolute path, without quotes or line ends", doc, (text) ->
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
