package io.clusterecho.node.member;

import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import io.clusterecho.platform.BuildFacts;
import io.clusterecho.settings.InvalidSettingException;

/**
 * Aeron's own keys. A key that the user sets overrides the derived value; keys for a member's id and folders are rejected,
 * because the lock on the member's folder protects exactly these.
 */
final class AeronKey
{
    /** For each key that is rejected, the echo.* key to set. */
    static final Map<String, String> OURS = BuildFacts.text("/io/clusterecho/node/member/rejected-keys.txt").lines()
        .map((line) -> line.split("\\|")).collect(Collectors.toMap((fields) -> fields[0], (fields) -> fields[1]));

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
            null != System.getProperty(key), key, System.getProperty(key), "set " + setting + " instead"));
    }
}
