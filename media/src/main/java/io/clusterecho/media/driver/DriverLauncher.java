package io.clusterecho.media.driver;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

import io.aeron.driver.MediaDriver;

import io.clusterecho.settings.InvalidSettingException;

import org.agrona.concurrent.AgentInvoker;

/**
 * Launches the driver of a process, of any kind.
 *
 * @param idle  idle strategy of the threads of a C driver.
 * @param log   receives each line of output of a driver in a separate process; called on a separate thread.
 * @param onEnd receives the reason why a driver outside this process has ended, once, unless it was closed; called on a
 *              separate thread.
 */
public record DriverLauncher(DriverPlan plan, DriverIdle idle, Consumer<String> log, Consumer<String> onEnd)
{
    /**
     * Launch the driver and wait until it is ready.
     *
     * @param ctx       configuration of the Java driver, also applied to another driver that is started here. Its folder must be
     *                  free for a driver that is started.
     * @param folderKey setting of the folder, for error messages.
     * @throws InvalidSettingException if its Aeron version is not that of this process, if an external driver is not running, or
     *                                 if the driver does not start.
     */
    public Driver launch(final MediaDriver.Context ctx, final String folderKey)
    {
        return launch(ctx, folderKey, false);
    }

    /**
     * The same, with a C driver that may stamp what it receives.
     *
     * @param isStamping whether the project's own sockets for the C driver write into the reserved value of each data frame when
     *                   its datagram arrived, on the clock of {@link System#nanoTime()}. Others do not.
     */
    public Driver launch(final MediaDriver.Context ctx, final String folderKey, final boolean isStamping)
    {
        if (plan.isJava())
        {
            return new JavaDriver(MediaDriver.launch(ctx));
        }
        if (plan.isFound())
        {
            return FoundDriver.in(ctx.aeronDirectoryName(), folderKey, onEnd);
        }

        final Map<String, String> properties = new HashMap<>();
        System.getProperties().stringPropertyNames().forEach((key) -> properties.put(key, System.getProperty(key)));
        final Map<String, String> variables = DriverEnvironment.of(ctx, plan, idle, properties);
        if (isStamping)
        {
            variables.put(DriverEnvironment.STAMPS, "1");
        }
        return plan.isEmbedded() ? EmbeddedDriver.start(plan.library(), variables, ctx) :
            DriverProcess.start(plan, variables, ctx.aeronDirectoryName(), log, onEnd);
    }

    private record JavaDriver(MediaDriver driver) implements Driver
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
