package io.clusterecho.node.member;

import java.util.Map;
import java.util.function.Consumer;

import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Setting;

/**
 * Aeron's own keys. A key that the user sets overrides the derived value; keys for a member's id and folders are rejected,
 * because the lock on the member's folder protects exactly these.
 */
final class AeronKey
{
    private static final Map<String, Setting<?>> OURS = Map.ofEntries(
        Map.entry("aeron.dir", NodeSettings.AERON_DIR),
        Map.entry("aeron.dir.delete.on.start", NodeSettings.AERON_DIR),
        Map.entry("aeron.cluster.dir", NodeSettings.BASE_DIR),
        Map.entry("aeron.cluster.services.dir", NodeSettings.BASE_DIR),
        Map.entry("aeron.cluster.mark.file.dir", NodeSettings.BASE_DIR),
        Map.entry("aeron.archive.dir", NodeSettings.BASE_DIR),
        Map.entry("aeron.archive.mark.file.dir", NodeSettings.BASE_DIR),
        Map.entry("aeron.archive.dir.delete.on.start", NodeSettings.DELETE_DATA),
        Map.entry("aeron.archive.control.channel", NodeSettings.BASE_PORT),
        Map.entry("aeron.cluster.member.id", NodeSettings.MEMBER_ID),
        Map.entry("aeron.cluster.members", NodeSettings.HOSTS),
        Map.entry("aeron.cluster.service.class.name", NodeSettings.SERVICE_CLASS));

    private AeronKey()
    {
    }

    static void unlessSet(final String key, final Runnable derive)
    {
        if (null == System.getProperty(key))
        {
            derive.run();
        }
    }

    static <T> void unlessSet(final String key, final Consumer<T> setter, final T value)
    {
        unlessSet(key, () -> setter.accept(value));
    }

    /** Pass the keys of property files to Aeron, as system properties. */
    static void passOn(final Map<String, String> fromFiles)
    {
        fromFiles.forEach((key, value) -> unlessSet(key, () -> System.setProperty(key, value)));
        OURS.forEach((key, setting) -> InvalidSettingException.throwIf(
            null != System.getProperty(key), key, System.getProperty(key), "set " + setting.key() + " instead"));
    }
}
