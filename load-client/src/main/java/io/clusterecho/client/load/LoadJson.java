package io.clusterecho.client.load;

import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.DataFormatException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.client.record.Counter;
import io.clusterecho.client.record.Stage;
import io.clusterecho.client.record.StageTimes;
import io.clusterecho.client.record.TimeRecorder;

import org.HdrHistogram.Histogram;

/**
 * What a client tells of its run to another process, in JSON. Histograms are whole, in their compressed form in base 64.
 */
public final class LoadJson
{
    private static final String LEADER = "leader";
    private static final String UNTOLD = "untold";
    private static final String DISAGREEING = "disagreeing";

    private LoadJson()
    {
    }

    /**
     * Put an interval.
     *
     * @param interval to tell of.
     * @param node     to put it to.
     */
    public static void put(final LoadInterval interval, final ObjectNode node)
    {
        node.put("beginNs", interval.beginNs()).put("endNs", interval.endNs()).put("phase", interval.phase().name());
        node.put(LEADER, interval.leaderMemberId());
        for (final Counter counter : Counter.values())
        {
            node.withArray("counts").add(interval.count(counter));
        }
        put(interval.responseTimes(), "responseTimes", node);
        put(interval.serviceTimes(), "serviceTimes", node);
        put(interval.sendDelays(), "sendDelays", node);
        put(interval.warmUpResponseTimes(), "warmUpResponseTimes", node);
        put(interval.stalls(), "stalls", node);
    }

    /**
     * Fill an interval. When the schedule began, and its rate, are left as they are: the reader's clock counts.
     *
     * @param node     from {@link #put(LoadInterval, ObjectNode)}.
     * @param interval overwritten.
     * @throws IllegalArgumentException if the node is damaged.
     */
    public static void read(final JsonNode node, final LoadInterval interval)
    {
        interval.beginNs = node.path("beginNs").asLong();
        interval.endNs = node.path("endNs").asLong();
        interval.phase = Phase.valueOf(node.path("phase").asText());
        interval.leaderMemberId = node.path(LEADER).asInt(-1);
        for (int i = 0; i < interval.counts.length; i++)
        {
            interval.counts[i] = node.path("counts").path(i).asLong();
        }
        read(node, "responseTimes", interval.responseTimes);
        read(node, "serviceTimes", interval.serviceTimes);
        read(node, "sendDelays", interval.sendDelays);
        read(node, "warmUpResponseTimes", interval.warmUpResponseTimes);
        read(node, "stalls", interval.stalls);
    }

    /**
     * Put an outcome.
     *
     * @param outcome to tell of.
     * @param node    to put it to.
     */
    public static void put(final LoadOutcome outcome, final ObjectNode node)
    {
        for (final RecordComponent component : LoadOutcome.class.getRecordComponents())
        {
            final Object value = value(component, outcome);
            if (value instanceof Histogram histogram)
            {
                put(histogram, component.getName(), node);
            }
            else if (StageTimes.class == component.getType())
            {
                put((StageTimes)value, component.getName(), node);
            }
            else if (value instanceof Double number)
            {
                node.put(component.getName(), number);
            }
            else
            {
                node.put(component.getName(), (Long)value);
            }
        }
    }

    /**
     * Read an outcome.
     *
     * @param node from {@link #put(LoadOutcome, ObjectNode)}.
     * @return it.
     * @throws IllegalArgumentException if the node is damaged.
     */
    public static LoadOutcome outcome(final JsonNode node)
    {
        final RecordComponent[] components = LoadOutcome.class.getRecordComponents();
        final Object[] values = new Object[components.length];
        for (int i = 0; i < values.length; i++)
        {
            final String name = components[i].getName();
            if (Histogram.class == components[i].getType())
            {
                final Histogram histogram = TimeRecorder.newHistogram();
                read(node, name, histogram);
                values[i] = histogram;
            }
            else if (StageTimes.class == components[i].getType())
            {
                values[i] = stages(node.get(name));
            }
            else
            {
                values[i] = double.class == components[i].getType() ?
                    (Object)node.path(name).asDouble() : (Object)node.path(name).asLong();
            }
        }

        try
        {
            return LoadOutcome.class.getDeclaredConstructor(
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new)).newInstance(values);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new IllegalStateException("a record must be constructible", ex);
        }
    }

    private static Object value(final RecordComponent component, final LoadOutcome outcome)
    {
        try
        {
            return component.getAccessor().invoke(outcome);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new IllegalStateException("a component of a record must be readable", ex);
        }
    }

    private static void put(final StageTimes stages, final String name, final ObjectNode node)
    {
        if (null != stages)
        {
            final ObjectNode told = node.putObject(name);
            told.put(UNTOLD, stages.untoldCount()).put(DISAGREEING, stages.disagreeingCount());
            stages.stages().forEach((stage) -> put(stages.of(stage), stage.key(), told));
        }
    }

    private static StageTimes stages(final JsonNode node)
    {
        if (null == node)
        {
            return null;
        }

        final StageTimes stages = new StageTimes();
        stages.addCounts(node.path(UNTOLD).asLong(), node.path(DISAGREEING).asLong());
        for (final Stage stage : Stage.values())
        {
            read(node, stage.key(), stages.of(stage));
        }
        return stages;
    }

    private static void put(final Histogram histogram, final String name, final ObjectNode node)
    {
        if (histogram.getTotalCount() > 0)
        {
            final ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
            final int length = histogram.encodeIntoCompressedByteBuffer(buffer);
            node.put(name, Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length)));
        }
    }

    private static void read(final JsonNode node, final String name, final Histogram histogram)
    {
        histogram.reset();
        if (node.has(name))
        {
            try
            {
                histogram.add(Histogram.decodeFromCompressedByteBuffer(
                    ByteBuffer.wrap(Base64.getDecoder().decode(node.get(name).asText())), 0));
            }
            catch (final DataFormatException ex)
            {
                throw new IllegalArgumentException("the histogram " + name + " is damaged: " + ex.getMessage(), ex);
            }
        }
    }
}
