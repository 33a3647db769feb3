package io.clusterecho.media.driver;

import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Map;

import io.aeron.CncFileDescriptor;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.status.SystemCounterDescriptor;
import io.aeron.exceptions.AeronException;

import io.clusterecho.settings.InvalidSettingException;

import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;
import org.agrona.IoUtil;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.errors.ErrorLogReader;
import org.agrona.concurrent.status.CountersReader;

/**
 * Aeron's C driver in this process, without threads: the thread that starts it also runs and closes it. An error in native code
 * ends the process.
 */
final class EmbeddedDriver implements Agent
{
    private final AgentInvoker invoker;
    private final ErrorHandler errorHandler;
    private final Runnable terminationHook;
    private final Path folder;
    private final MappedByteBuffer cnc;
    private final AtomicBuffer errorLog;
    private final CountersReader counters;
    /** Address of the native driver, or 0 after it was closed. */
    private long address;
    private boolean isTerminated;
    private long errorCount;
    private long errorsToMs;

    private EmbeddedDriver(final long address, final MediaDriver.Context ctx)
    {
        this.address = address;
        errorHandler = ctx.errorHandler();
        terminationHook = ctx.terminationHook();
        folder = Path.of(ctx.aeronDirectoryName());
        cnc = IoUtil.mapExistingFile(
            folder.resolve(CncFileDescriptor.CNC_FILE).toFile(), FileChannel.MapMode.READ_ONLY, CncFileDescriptor.CNC_FILE);
        final DirectBuffer metaData = CncFileDescriptor.createMetaDataBuffer(cnc);
        errorLog = CncFileDescriptor.createErrorLogBuffer(cnc, metaData);
        counters = DriverFile.counters(cnc, metaData);
        invoker = new AgentInvoker(errorHandler, null, this);
        invoker.start();
    }

    /**
     * Load the library and start a driver in a folder that no other driver uses, and which is deleted when it is closed.
     *
     * @param library   with the calls, beside that of the driver.
     * @param variables of the C driver, which reads them from the environment of this process; the environment is restored.
     * @throws InvalidSettingException if the library cannot be loaded, is of another version, or rejects a setting.
     */
    static Driver start(final Path library, final Map<String, String> variables, final MediaDriver.Context ctx)
    {
        final String bindings = variables.getOrDefault(DriverEnvironment.BINDINGS, System.getenv(DriverEnvironment.BINDINGS));
        InvalidSettingException.throwIf(
            null != bindings, DriverEnvironment.BINDINGS, bindings,
            "must not be set with the embedded driver, which has its own sockets");

        try
        {
            System.load(library.toString());
        }
        catch (final UnsatisfiedLinkError ex)
        {
            throw new InvalidSettingException(
                "the embedded media driver cannot be loaded (" + ex.getMessage() + "): run scripts/build-c-driver.sh");
        }
        DriverFile.checkVersion(library.toString(), version());

        final String[] names = variables.keySet().toArray(new String[0]);
        final String[] values = variables.values().toArray(new String[0]);
        final long address;
        try
        {
            address = start(names, values);
        }
        catch (final IllegalStateException ex)
        {
            IoUtil.delete(Path.of(ctx.aeronDirectoryName()).toFile(), true);
            throw new InvalidSettingException(
                "the embedded media driver does not start: " + ex.getMessage().strip().replaceAll("\\s*\\n\\s*", "; "));
        }

        try
        {
            final EmbeddedDriver driver = new EmbeddedDriver(address, ctx);
            return new Driver(driver.invoker, driver::await, driver::close);
        }
        catch (final RuntimeException ex)
        {
            close(address);
            throw ex;
        }
    }

    @Override
    public int doWork()
    {
        if (0 == address)
        {
            return 0;
        }

        final int workCount = EmbeddedDriver.doWork(address);
        reportErrors();
        if (workCount < 0 && !isTerminated)
        {
            isTerminated = true;
            if (null != terminationHook)
            {
                terminationHook.run();
            }
        }
        return Math.max(0, workCount);
    }

    @Override
    public String roleName()
    {
        return "embedded-driver";
    }

    private boolean await(final int timeoutMs)
    {
        return 0 != address && await(address, timeoutMs);
    }

    private void close()
    {
        if (0 != address)
        {
            CloseHelper.closeAll(invoker, () -> IoUtil.unmap(cnc));
            close(address);
            address = 0;
            IoUtil.delete(folder.toFile(), true);
        }
    }

    /** Pass on new errors in the driver's log, as a Java driver does itself. Without any it costs one memory read. */
    private void reportErrors()
    {
        final long count = counters.getCounterValue(SystemCounterDescriptor.ERRORS.id());
        if (count != errorCount)
        {
            errorCount = count;
            ErrorLogReader.read(
                errorLog,
                (observationCount, firstMs, lastMs, text) ->
                {
                    errorsToMs = Math.max(errorsToMs, lastMs + 1);
                    errorHandler.onError(new AeronException(text.strip()));
                },
                errorsToMs);
        }
    }

    /** Version of Aeron, composed of major, minor and patch. */
    private static native int version();

    /** Address of a driver that runs; IllegalStateException with Aeron's message if it does not start. */
    private static native long start(String[] names, String[] values);

    /** One turn: its work count, or -1 after a request to terminate. */
    private static native int doWork(long address);

    private static native boolean await(long address, int timeoutMs);

    private static native void close(long address);
}
