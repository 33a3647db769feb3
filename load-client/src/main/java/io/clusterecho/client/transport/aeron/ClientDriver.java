package io.clusterecho.client.transport.aeron;

import io.clusterecho.media.driver.DriverIdle;
import io.clusterecho.media.driver.DriverPlan;
import io.clusterecho.settings.InvalidSettingException;

/**
 * The media driver of a client.
 *
 * @param folder    of a running driver, empty for one to be started.
 * @param folderKey setting with the folder, for errors.
 */
public record ClientDriver(DriverPlan plan, String folder, String folderKey)
{
    /** The Java driver within this process. */
    public static final ClientDriver JAVA = new ClientDriver(DriverPlan.JAVA, "", "");

    /** Checks that a folder is given exactly if it is needed. */
    public ClientDriver
    {
        if (plan.isFound() && folder.isEmpty())
        {
            throw new InvalidSettingException(
                folderKey, folder, "the folder of a running media driver, for an external driver without a command");
        }
        if (!plan.isFound() && !folder.isEmpty())
        {
            throw new InvalidSettingException(
                folderKey, folder, "not given unless the driver is external and has no command; it is " + plan.text());
        }
    }

    /** Idle strategy of the threads of a C driver: the default of the client's own thread. */
    static DriverIdle idle()
    {
        return DriverIdle.YIELD;
    }
}
