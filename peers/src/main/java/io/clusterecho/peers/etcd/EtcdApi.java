package io.clusterecho.peers.etcd;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;

import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;

/**
 * The two calls of etcd's interface of version 3 that an echo needs, written by hand: what else its messages hold is left out
 * or skipped.
 * <pre>
 *   KV.Txn             put(key, message), range(key)  -&gt;  the message, as the store holds it after the put
 *   Maintenance.Status                                -&gt;  who answers, who leads, which version
 * </pre>
 */
final class EtcdApi
{
    static final MethodDescriptor<byte[], byte[]> PUT_AND_GET = MethodDescriptor.<byte[], byte[]>newBuilder()
        .setType(MethodType.UNARY)
        .setFullMethodName("etcdserverpb.KV/Txn")
        .setRequestMarshaller(new Marshaller<>(EtcdApi::writePutAndGet, null))
        .setResponseMarshaller(new Marshaller<>(null, EtcdApi::readValue))
        .build();

    static final MethodDescriptor<Void, Status> STATUS = MethodDescriptor.<Void, Status>newBuilder()
        .setType(MethodType.UNARY)
        .setFullMethodName("etcdserverpb.Maintenance/Status")
        .setRequestMarshaller(new Marshaller<>((nothing) -> new byte[0], null))
        .setResponseMarshaller(new Marshaller<>(null, EtcdApi::readStatus))
        .build();

    private static final byte[] KEY = "cluster-echo".getBytes(StandardCharsets.US_ASCII);
    /** Of tags and lengths around a message, on every level. */
    private static final int OVERHEAD_LENGTH = 64;

    private static final int TXN_SUCCESS = 2;
    private static final int OP_RANGE = 1;
    private static final int OP_PUT = 2;
    private static final int PUT_KEY = 1;
    private static final int PUT_VALUE = 2;
    private static final int RANGE_KEY = 1;

    private static final int TXN_RESPONSES = 3;
    private static final int RANGE_KVS = 2;
    private static final int KV_VALUE = 5;

    private static final int HEADER = 1;
    private static final int HEADER_MEMBER_ID = 2;
    private static final int STATUS_VERSION = 2;
    private static final int STATUS_LEADER = 4;

    private EtcdApi()
    {
    }

    /**
     * What a member says of itself.
     *
     * @param memberId of the one that answers.
     * @param leaderId of the one that leads, 0 for none.
     * @param version  of its program.
     */
    record Status(long memberId, long leaderId, String version)
    {
        boolean isOfLeader()
        {
            return 0 != leaderId && memberId == leaderId;
        }
    }

    private static byte[] writePutAndGet(final byte[] message)
    {
        final int putLength =
            CodedOutputStream.computeByteArraySize(PUT_KEY, KEY) + CodedOutputStream.computeByteArraySize(PUT_VALUE, message);
        final int rangeLength = CodedOutputStream.computeByteArraySize(RANGE_KEY, KEY);
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream(OVERHEAD_LENGTH + 2 * KEY.length + message.length);
        try
        {
            final CodedOutputStream out = CodedOutputStream.newInstance(bytes);
            beginOperation(out, OP_PUT, putLength);
            out.writeByteArray(PUT_KEY, KEY);
            out.writeByteArray(PUT_VALUE, message);
            beginOperation(out, OP_RANGE, rangeLength);
            out.writeByteArray(RANGE_KEY, KEY);
            out.flush();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }

        return bytes.toByteArray();
    }

    private static void beginOperation(final CodedOutputStream out, final int field, final int length) throws IOException
    {
        out.writeTag(TXN_SUCCESS, WireFormat.WIRETYPE_LENGTH_DELIMITED);
        out.writeUInt32NoTag(
            CodedOutputStream.computeTagSize(field) + CodedOutputStream.computeUInt32SizeNoTag(length) + length);
        out.writeTag(field, WireFormat.WIRETYPE_LENGTH_DELIMITED);
        out.writeUInt32NoTag(length);
    }

    /**
     * The value of the one key in the one range among the responses; null when there is none.
     */
    private static byte[] readValue(final CodedInputStream in) throws IOException
    {
        final byte[][] value = new byte[1][];
        eachMessage(in, TXN_RESPONSES, () ->
            eachMessage(in, OP_RANGE, () ->
                eachMessage(in, RANGE_KVS, () ->
                {
                    for (int tag = in.readTag(); 0 != tag; tag = in.readTag())
                    {
                        if (KV_VALUE == WireFormat.getTagFieldNumber(tag))
                        {
                            value[0] = in.readByteArray();
                        }
                        else
                        {
                            in.skipField(tag);
                        }
                    }
                })));
        return value[0];
    }

    private static Status readStatus(final CodedInputStream in) throws IOException
    {
        final long[] memberId = new long[1];
        long leaderId = 0;
        String version = "";
        for (int tag = in.readTag(); 0 != tag; tag = in.readTag())
        {
            switch (WireFormat.getTagFieldNumber(tag))
            {
                case HEADER -> inMessage(in, () ->
                {
                    for (int inner = in.readTag(); 0 != inner; inner = in.readTag())
                    {
                        if (HEADER_MEMBER_ID == WireFormat.getTagFieldNumber(inner))
                        {
                            memberId[0] = in.readUInt64();
                        }
                        else
                        {
                            in.skipField(inner);
                        }
                    }
                });
                case STATUS_VERSION -> version = in.readString();
                case STATUS_LEADER -> leaderId = in.readUInt64();
                default -> in.skipField(tag);
            }
        }

        return new Status(memberId[0], leaderId, version);
    }

    /**
     * Read each message of one field up to the end of the message around it, and skip all others.
     */
    private static void eachMessage(final CodedInputStream in, final int field, final Content content) throws IOException
    {
        for (int tag = in.readTag(); 0 != tag; tag = in.readTag())
        {
            if (field == WireFormat.getTagFieldNumber(tag))
            {
                inMessage(in, content);
            }
            else
            {
                in.skipField(tag);
            }
        }
    }

    private static void inMessage(final CodedInputStream in, final Content content) throws IOException
    {
        final int oldLimit = in.pushLimit(in.readRawVarint32());
        content.read();
        in.popLimit(oldLimit);
    }

    /** Reads a message up to its end. */
    private interface Content
    {
        void read() throws IOException;
    }

    /** Writes a message. */
    private interface Writer<T>
    {
        byte[] write(T value);
    }

    /** Reads a message. */
    private interface Reader<T>
    {
        T read(CodedInputStream in) throws IOException;
    }

    /**
     * One direction of a call; the other is null.
     */
    private record Marshaller<T>(Writer<T> writer, Reader<T> reader) implements MethodDescriptor.Marshaller<T>
    {
        @Override
        public InputStream stream(final T value)
        {
            return new ByteArrayInputStream(writer.write(value));
        }

        @Override
        public T parse(final InputStream stream)
        {
            try
            {
                return reader.read(CodedInputStream.newInstance(stream.readAllBytes()));
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException("not a reply of etcd", ex);
            }
        }
    }
}
