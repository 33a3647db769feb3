package io.clusterecho.peers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.KeyManagerFactory;

import io.clusterecho.process.Launch;
import io.clusterecho.settings.Setting;
import io.clusterecho.settings.Settings;

import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.netty.handler.ssl.OpenSsl;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;

import org.agrona.IoUtil;

/**
 * TLS for gRPC. The server makes a key and a certificate for its host when it starts, by {@code keytool}, which is part of each
 * JDK, and writes the certificate to a file; the client trusts that certificate alone, and checks the host.
 */
final class GrpcTls
{
    static final Setting<String> CERTIFICATE = Setting.ofText(
        "peer.tls.certificate", "auto", "a file",
        "Certificate of the server, which the server writes and the client reads; auto: a file for user and port in the folder " +
        "of temporary files.");

    private static final String AUTO = "auto";
    private static final String ALIAS = "server";
    /** The key is in a folder of this user only, and deleted before the server is used. */
    private static final String PASSWORD = "changeit";
    private static final int LINE_LENGTH = 64;
    private static final long KEYTOOL_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);

    private GrpcTls()
    {
    }

    static Path certificate(final Endpoint endpoint, final Settings settings)
    {
        final String text = settings.value(CERTIFICATE);
        return !AUTO.equals(text) ? Path.of(text) : Path.of(System.getProperty("java.io.tmpdir")).resolve(
            "cluster-echo-" + System.getProperty("user.name") + "-" + endpoint.port() + ".pem");
    }

    static String provider()
    {
        return OpenSsl.isAvailable() ? OpenSsl.versionString() + " of netty-tcnative" : "the TLS of the JDK";
    }

    /** Make a key, and write its certificate to a file, which is replaced. */
    static SslContext ofServer(final Endpoint endpoint, final Path certificate) throws IOException
    {
        final Path folder = Files.createTempDirectory("cluster-echo-tls");
        try
        {
            final KeyStore keys = newKey(endpoint.host(), folder);
            final Path made = folder.resolve("certificate.pem");
            Files.writeString(made, "-----BEGIN CERTIFICATE-----\n" +
                Base64.getMimeEncoder(LINE_LENGTH, new byte[]{ '\n' }).encodeToString(keys.getCertificate(ALIAS).getEncoded()) +
                "\n-----END CERTIFICATE-----\n", StandardCharsets.US_ASCII);
            Files.move(made, certificate, StandardCopyOption.REPLACE_EXISTING);
            final KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(keys, PASSWORD.toCharArray());
            return GrpcSslContexts.configure(SslContextBuilder.forServer(factory)).build();
        }
        catch (final GeneralSecurityException ex)
        {
            throw new IOException("no key for " + endpoint, ex);
        }
        finally
        {
            IoUtil.delete(folder.toFile(), true);
        }
    }

    private static KeyStore newKey(final String host, final Path folder) throws IOException, GeneralSecurityException
    {
        final Path file = folder.resolve("key.p12");
        final boolean isAddress = host.matches("[0-9.]+|.*:.*");
        final Optional<String> failure = new Launch("keytool", List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair", "-alias", ALIAS, "-keyalg", "EC", "-groupname", "secp256r1", "-validity", "30",
            "-dname", "CN=cluster-echo", "-ext", "san=" + (isAddress ? "ip:" : "dns:") + host,
            "-storetype", "PKCS12", "-keystore", file.toString(), "-storepass", PASSWORD)).run(KEYTOOL_TIMEOUT_NS);
        if (failure.isPresent())
        {
            throw new IOException("no key for " + host + ": " + failure.get());
        }

        return KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
    }

    /** Trust one certificate, whose file must be there. */
    static SslContext ofClient(final Path certificate) throws IOException
    {
        if (!Files.isRegularFile(certificate))
        {
            throw new IOException(
                "no certificate in " + certificate + ": its server writes it; on another host give " + CERTIFICATE.key());
        }
        try
        {
            return GrpcSslContexts.forClient().trustManager(certificate.toFile()).build();
        }
        catch (final IllegalArgumentException ex)
        {
            throw new IOException("no certificate in " + certificate, ex);
        }
    }
}
