package io.clusterecho.failover.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.document.FailoverDocument;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.settings.InvalidSettingException;

import com.fasterxml.jackson.databind.JsonNode;

/** The faults of a test, as its result has them. */
public final class StoredFaults
{
    private StoredFaults()
    {
    }

    /**
     * Read the faults of a test.
     *
     * @return one for each cycle, in order.
     * @throws InvalidSettingException if the folder has no result with faults, or one with a fault that is unknown.
     */
    public static List<PlannedFault> read(final Path folder)
    {
        final Path file = folder.resolve(DocumentKind.FAILOVER.fileName());
        try
        {
            final JsonNode root = Documents.checked(
                Documents.parse(Files.readString(file)), DocumentKind.FAILOVER.format(), List.of("/cycles"));
            final List<PlannedFault> faults = new ArrayList<>();
            for (final FailoverDocument.Cycle cycle : Documents.bind(root, FailoverDocument.class).cycles())
            {
                if (null == cycle.choice() || null == cycle.pick() || cycle.pick() < 0)
                {
                    throw new IllegalArgumentException("cycle " + cycle.cycle() + " has no choice and pick");
                }
                faults.add(new PlannedFault(
                    FaultSpec.parse(cycle.fault()), cycle.choice(), cycle.pick(), second(cycle.second())));
            }
            if (faults.isEmpty())
            {
                throw new IllegalArgumentException("it has no cycles");
            }
            return faults;
        }
        catch (final IOException | IllegalArgumentException ex)
        {
            throw new InvalidSettingException(
                "--replay", folder, "a folder with the " + file.getFileName() + " of a test with faults; " + ex.getMessage());
        }
    }

    private static PlannedFault.Second second(final FailoverDocument.Second second)
    {
        return null == second ? null : new PlannedFault.Second(
            new PlannedFault(FaultSpec.parse(second.fault()), second.choice(), second.pick()), second.afterNs());
    }
}
