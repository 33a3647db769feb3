package io.clusterecho.client.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

import io.aeron.security.CredentialsSupplier;

import io.clusterecho.settings.InvalidSettingException;

import org.agrona.collections.ArrayUtil;

/**
 * What a client presents when it connects: the one line of a file that only its owner can read.
 */
final class Credentials
{
    private static final String ALLOWED = "a file with one line name:secret that only its owner can read (chmod 600)";

    private Credentials()
    {
    }

    static CredentialsSupplier load(final Path file)
    {
        final byte[] encoded;
        try
        {
            final Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
            permissions.remove(PosixFilePermission.OWNER_READ);
            permissions.remove(PosixFilePermission.OWNER_WRITE);
            final String line = Files.readString(file, StandardCharsets.UTF_8).strip();
            if (!permissions.isEmpty() || !line.matches("[^:\\s]+:\\S+"))
            {
                throw new InvalidSettingException("--credentials-file", file, ALLOWED);
            }
            encoded = line.getBytes(StandardCharsets.UTF_8);
        }
        catch (final IOException ex)
        {
            throw new InvalidSettingException("--credentials-file", file, ALLOWED + " (" + ex + ")");
        }

        return new CredentialsSupplier()
        {
            @Override
            public byte[] encodedCredentials()
            {
                return encoded;
            }

            @Override
            public byte[] onChallenge(final byte[] encodedChallenge)
            {
                return ArrayUtil.EMPTY_BYTE_ARRAY;
            }
        };
    }
}
