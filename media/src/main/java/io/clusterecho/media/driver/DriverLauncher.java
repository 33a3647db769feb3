package io.clusterecho.media.driver;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

import io.aeron.driver.MediaDriver;

import io.clusterecho.settings.InvalidSettingException;

import org.agrona.concurrent.AgentInvoker;

/**
 * Brings the driver of a process up, of whichever kind.
 *
 * @param plan  which driver.
 * @param idle  what threads of a driver in C do when there is nothing to do.
 * @param log   told each line that a driver of its own process says; called on a thread of its own.
 * @param onEnd told why a driver that runs outside this process has ended, once, unless it was closed; called on a thread of
 *              its own.
 */
public record DriverLauncher(DriverPlan plan, DriverIdle idle, Consumer<String> log, Consumer<String> onEnd)
{
    /**
     * Bring it up and wait until it works.
     *
     * @param ctx       what the Java driver is told; another one that is started here is told the same. Its folder must be free
     *                  for a driver that is started.
     * @param folderKey setting by which the folder is named, for errors.
     * @throws InvalidSettingException if it is not of the version of Aeron that this process has, if there is none where one
     *                                 should be found, or if it does not come up.
     */
    public Driver launch(final MediaDriver.Context ctx, final String folderKey)
    {
        if (plan.isEmbedded())
        {
            return new EmbeddedDriver(MediaDriver.launch(ctx));
        }
        if (plan.isFound())
        {
            return FoundDriver.in(ctx.aeronDirectoryName(), folderKey, onEnd);
        }

        final Map<String, String> properties = new HashMap<>();
        System.getProperties().stringPropertyNames().forEach((key) -> properties.put(key, System.getProperty(key)));
        return DriverProcess.start(
            plan, DriverEnvironment.of(ctx, plan, idle, properties), ctx.aeronDirectoryName(), log, onEnd);
    }

    private record EmbeddedDriver(MediaDriver driver) implements Driver
    {
        @Override
        public AgentInvoker invoker()
        {
            return driver.sharedAgentInvoker();
        }

        @Override
        public void close()
        {
            driver.close();
        }
    }
}
