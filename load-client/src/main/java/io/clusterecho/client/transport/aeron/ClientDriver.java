package io.clusterecho.client.transport.aeron;

import io.clusterecho.media.driver.DriverIdle;
import io.clusterecho.media.driver.DriverPlan;
import io.clusterecho.settings.InvalidSettingException;

/**
 * Which media driver a client works with.
 *
 * @param plan      of the driver.
 * @param folder    in which one works already, empty for one that is started.
 * @param folderKey setting by which the folder is named, for errors.
 */
public record ClientDriver(DriverPlan plan, String folder, String folderKey)
{
    /**
     * The Java driver, within the process.
     */
    public static final ClientDriver EMBEDDED = new ClientDriver(DriverPlan.EMBEDDED, "", "");

    /**
     * Checks that a folder is named where one is needed, and nowhere else.
     *
     * @throws InvalidSettingException if it is not so.
     */
    public ClientDriver
    {
        if (plan.isFound() && folder.isEmpty())
        {
            throw new InvalidSettingException(
                folderKey, folder, "the folder of a media driver that runs, for an external driver that no command starts");
        }
        if (!plan.isFound() && !folder.isEmpty())
        {
            throw new InvalidSettingException(
                folderKey, folder, "not given unless the driver is external and no command starts it; it is " + plan.text());
        }
    }

    /**
     * What threads of a driver in C do when there is nothing to do: what the client's own thread does by default.
     */
    static DriverIdle idle()
    {
        return DriverIdle.YIELD;
    }
}
