package io.clusterecho.control.member;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;

import io.clusterecho.settings.InvalidSettingException;

/** A {@code cluster-node.jar}, by its absolute path, and the version of the members that it starts. */
public record NodeJar(Path path, MemberVersion version)
{
    private static final String MAIN_CLASS = "io.clusterecho.control.ClusterNode";
    private static final String FACTS = "cluster-echo-build.properties";
    private static final String ALLOWED = "a cluster-node.jar from a build or a release of this project";

    /** @throws InvalidSettingException if there is no such file, or it is another jar. */
    public static NodeJar read(final String option, final Path file)
    {
        InvalidSettingException.throwIf(!Files.isRegularFile(file), option, file, ALLOWED + "; there is no such file");
        try (JarFile jar = new JarFile(file.toFile()))
        {
            final Manifest manifest = jar.getManifest();
            final String mainClass = null == manifest ? null : manifest.getMainAttributes().getValue(Attributes.Name.MAIN_CLASS);
            final ZipEntry facts = jar.getEntry(FACTS);
            InvalidSettingException.throwIf(
                !MAIN_CLASS.equals(mainClass) || null == facts, option, file,
                ALLOWED + "; its main class is " + (null == mainClass ? "not named" : mainClass));
            final Properties properties = new Properties();
            properties.load(jar.getInputStream(facts));
            return new NodeJar(file.toAbsolutePath().normalize(), MemberVersion.of(properties));
        }
        catch (final IOException ex)
        {
            throw new InvalidSettingException(option, file, ALLOWED + "; it cannot be read: " + ex.getMessage());
        }
    }
}
