package io.clusterecho.client.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.RunInterval;
import io.clusterecho.reporting.measurement.TimeRecorder;

import org.HdrHistogram.Histogram;

/**
 * What a client reports to another process during a run, as JSON. Histograms are complete, compressed and base64-encoded; empty
 * ones are left out.
 */
public final class LoadMessages
{
    private static final JsonMapper MAPPER = JsonMapper.builder()
        .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .disable(MapperFeature.AUTO_DETECT_IS_GETTERS)
        .defaultPropertyInclusion(JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
        .withConfigOverride(Histogram.class, (histograms) ->
            histograms.setInclude(JsonInclude.Value.construct(JsonInclude.Include.NON_EMPTY, JsonInclude.Include.ALWAYS)))
        .addMixIn(RunInterval.class, OfReporter.class)
        .addModule(new SimpleModule()
            .addSerializer(Histogram.class, new HistogramWriter())
            .addDeserializer(Histogram.class, new HistogramReader()))
        .build();

    /** Start and rate of the schedule are those of the reader, on its clock, and so are sums. */
    @JsonIgnoreProperties({ "startEpochMs", "ratePerSecondAsked", "total" })
    private interface OfReporter
    {
    }

    private LoadMessages()
    {
    }

    /** The fields of an interval or of an outcome. */
    public static ObjectNode of(final Record part)
    {
        return MAPPER.valueToTree(part);
    }

    /** Read an interval, without start and rate of the schedule; an {@link IllegalArgumentException} says what is invalid. */
    public static RunInterval interval(final JsonNode node)
    {
        final RunInterval interval = bind(node, RunInterval.class);
        if (null == interval || null == interval.phase() || null == interval.totals() || null == interval.counts() ||
            null == interval.times())
        {
            throw new IllegalArgumentException("an interval must have a phase, counts and times");
        }
        return interval;
    }

    /** Read an outcome; an {@link IllegalArgumentException} says what is invalid. */
    public static LoadOutcome outcome(final JsonNode node)
    {
        final LoadOutcome outcome = bind(node, LoadOutcome.class);
        if (null == outcome || null == outcome.counts())
        {
            throw new IllegalArgumentException("an outcome must have counts");
        }
        return outcome;
    }

    private static <T> T bind(final JsonNode node, final Class<T> type)
    {
        try
        {
            return MAPPER.treeToValue(node, type);
        }
        catch (final JsonProcessingException ex)
        {
            throw new IllegalArgumentException(ex.getOriginalMessage(), ex);
        }
    }

    private static final class HistogramWriter extends JsonSerializer<Histogram>
    {
        @Override
        public boolean isEmpty(final SerializerProvider provider, final Histogram histogram)
        {
            return 0 == histogram.getTotalCount();
        }

        @Override
        public void serialize(final Histogram histogram, final JsonGenerator generator, final SerializerProvider provider)
            throws IOException
        {
            final ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
            generator.writeBinary(buffer.array(), 0, histogram.encodeIntoCompressedByteBuffer(buffer));
        }
    }

    private static final class HistogramReader extends JsonDeserializer<Histogram>
    {
        @Override
        public Histogram deserialize(final JsonParser parser, final DeserializationContext context) throws IOException
        {
            final Histogram histogram = TimeRecorder.newHistogram();
            try
            {
                histogram.add(Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(parser.getBinaryValue()), 0));
                return histogram;
            }
            catch (final DataFormatException | IllegalArgumentException ex)
            {
                return context.reportInputMismatch(
                    this, "the histogram %s is damaged: %s", parser.currentName(), ex.getMessage());
            }
        }

        @Override
        public Histogram getNullValue(final DeserializationContext context)
        {
            return TimeRecorder.newHistogram();
        }
    }
}
