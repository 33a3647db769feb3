package io.clusterecho.node.config;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.clusterecho.settings.Cause;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Io;

/** Loads classes of the user from jars and folders, behind those of this process. */
public final class UserClasses extends URLClassLoader
{
    /** Classes of a class path, which the key sets; rejects a jar or folder that does not exist. */
    public UserClasses(final String key, final List<Path> classPath)
    {
        super(classPath.stream().map((path) -> url(key, path)).toArray(URL[]::new), UserClasses.class.getClassLoader());
    }

    private static URL url(final String key, final Path path)
    {
        InvalidSettingException.throwIf(
            !Files.isReadable(path), key, path, "jars and folders that exist on the machine of the process");
        return Io.call("cannot read " + path, () -> path.toUri().toURL());
    }

    /** An object for this thread and those that it starts, of a class that a key names; rejects one of which none can be made. */
    public <T> T make(final String key, final String name, final Class<T> type)
    {
        // Libraries of the class look for their parts there, as by a ServiceLoader.
        Thread.currentThread().setContextClassLoader(this);
        try
        {
            return Class.forName(name, true, this).asSubclass(type).getConstructor().newInstance();
        }
        catch (final ReflectiveOperationException | ClassCastException | LinkageError ex)
        {
            throw new InvalidSettingException(
                key, name, "a public class on the class path that implements " + type.getName() +
                " and has a public constructor without parameters, which succeeds (" +
                Cause.ofError(null == ex.getCause() ? ex : ex.getCause()) + ")");
        }
    }
}
