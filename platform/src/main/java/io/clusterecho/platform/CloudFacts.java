package io.clusterecho.platform;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Where this machine stands, if it is an instance of Amazon EC2: type, zone and placement group, from its metadata service,
 * version 2. On other machines nothing is asked. A service that does not answer at once is not waited for.
 */
final class CloudFacts
{
    private static final Path VENDOR_FILE = Path.of("/sys/class/dmi/id/sys_vendor");
    private static final String VENDOR = "Amazon EC2";
    private static final URI METADATA = URI.create("http://169.254.169.254/");
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final int OK = 200;
    /** Name of a fact to its path. */
    private static final Map<String, String> PATHS = new LinkedHashMap<>();

    static
    {
        PATHS.put("instanceType", "instance-type");
        PATHS.put("zone", "placement/availability-zone");
        PATHS.put("zoneId", "placement/availability-zone-id");
        PATHS.put("placementGroup", "placement/group-name");
        PATHS.put("partition", "placement/partition-number");
    }

    private CloudFacts()
    {
    }

    /**
     * Of this machine.
     *
     * @return name to value, without those that it does not have; empty on other machines.
     */
    static Map<String, String> facts()
    {
        return facts(VENDOR_FILE, METADATA, TIMEOUT);
    }

    /**
     * Facts from somewhere else.
     *
     * @param vendorFile that names the vendor of the machine.
     * @param metadata   where the service answers.
     * @param timeout    of each request.
     * @return as above.
     */
    static Map<String, String> facts(final Path vendorFile, final URI metadata, final Duration timeout)
    {
        final Map<String, String> facts = new LinkedHashMap<>();
        if (!isEc2(vendorFile))
        {
            return facts;
        }

        final HttpClient client = HttpClient.newBuilder().connectTimeout(timeout).build();
        final Optional<String> token = answer(client, HttpRequest.newBuilder(metadata.resolve("latest/api/token"))
            .header("X-aws-ec2-metadata-token-ttl-seconds", "60").timeout(timeout)
            .PUT(HttpRequest.BodyPublishers.noBody()));
        if (token.isEmpty())
        {
            facts.put("zone", "the metadata service did not answer");
            return facts;
        }

        PATHS.forEach((name, path) -> answer(client, HttpRequest.newBuilder(metadata.resolve("latest/meta-data/" + path))
            .header("X-aws-ec2-metadata-token", token.get()).timeout(timeout))
            .ifPresent((value) -> facts.put(name, value)));
        return facts;
    }

    private static boolean isEc2(final Path vendorFile)
    {
        try
        {
            return Files.readAllLines(vendorFile).stream().anyMatch((line) -> line.contains(VENDOR));
        }
        catch (final IOException ex)
        {
            return false;
        }
    }

    /**
     * Empty if there is none in time, or another than a good one: an instance without a placement group has no such path.
     */
    private static Optional<String> answer(final HttpClient client, final HttpRequest.Builder request)
    {
        try
        {
            final HttpResponse<String> response =
                client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return OK == response.statusCode() ? Optional.of(response.body().trim()) : Optional.empty();
        }
        catch (final IOException ex)
        {
            return Optional.empty();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
