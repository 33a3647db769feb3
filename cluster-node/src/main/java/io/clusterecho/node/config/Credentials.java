package io.clusterecho.node.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import io.aeron.security.CredentialsSupplier;
import io.aeron.security.NullCredentialsSupplier;

import io.clusterecho.settings.Cause;
import io.clusterecho.settings.InvalidSettingException;

/**
 * Name and secret that clients and members present when they connect, sent as the UTF-8 bytes of {@code name:secret}. Its text
 * form does not contain the secret.
 */
public record Credentials(String name, String secret) implements CredentialsSupplier
{
    /** Requirements for a file of credentials, as text. */
    public static final String ALLOWED = "a file that only its owner can read (mode 0600), with one line name:secret";

    private static final Set<PosixFilePermission> OWNER_ONLY =
        EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    /**
     * Read a file of credentials that a setting names; rejects one that is missing, open to other users, or not one line
     * name:secret.
     */
    public static Credentials read(final String key, final Path file)
    {
        final List<String> lines;
        try
        {
            InvalidSettingException.throwIf(
                !OWNER_ONLY.containsAll(Files.getPosixFilePermissions(file)), key, file + " (readable by others)", ALLOWED);
            lines = Files.readAllLines(file, UTF_8);
        }
        catch (final IOException | UnsupportedOperationException ex)
        {
            throw new InvalidSettingException(key, file + " (" + Cause.of(ex) + ")", ALLOWED);
        }

        final int colon = 1 == lines.size() ? lines.get(0).indexOf(':') : -1;
        InvalidSettingException.throwIf(
            colon < 1 || colon == lines.get(0).length() - 1, key, file + " (not one line name:secret)", ALLOWED);

        return new Credentials(lines.get(0).substring(0, colon), lines.get(0).substring(colon + 1));
    }

    /** The principal of a session with these credentials: the bytes of the name in UTF-8. */
    public byte[] encodedPrincipal()
    {
        return name.getBytes(UTF_8);
    }

    /** What a client of Aeron presents when it connects; nothing without credentials. */
    public static CredentialsSupplier supplier(final Optional<Credentials> given)
    {
        return given.isPresent() ? given.get() : new NullCredentialsSupplier();
    }

    @Override
    public byte[] encodedCredentials()
    {
        return (name + ":" + secret).getBytes(UTF_8);
    }

    @Override
    public byte[] onChallenge(final byte[] encodedChallenge)
    {
        return encodedCredentials();
    }

    @Override
    public String toString()
    {
        return "Credentials[" + name + "]";
    }
}
