package io.clusterecho.client.run;

import java.nio.file.Path;

import io.aeron.security.CredentialsSupplier;

import org.agrona.collections.ArrayUtil;

/** The credentials that a client presents when it connects: one line of a file, in the format that members read. */
public final class ClientCredentials
{
    private ClientCredentials()
    {
    }

    public static CredentialsSupplier load(final Path file)
    {
        final byte[] encoded = io.clusterecho.node.config.Credentials.read("--credentials-file", file).encoded();
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
