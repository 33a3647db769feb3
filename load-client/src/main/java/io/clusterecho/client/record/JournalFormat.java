package io.clusterecho.client.record;

/**
 * Layout of a journal file, version 1, little endian. A header of 32 bytes, then records of 24 bytes each.
 * <pre>
 *   header   0        8         12              16                24         32
 *            +========+=========+===============+=================+==========+
 *            | magic  | version | record length | start, epoch ms | reserved |
 *            +========+=========+===============+=================+==========+
 *
 *   record   0      1          2              4       8                16               24
 *            +======+==========+==============+=======+================+================+
 *            | type | template | client index | check | first value    | second value   |
 *            +======+==========+==============+=======+================+================+
 *   CLIENT   declares the client index            client id         -
 *   SENT     a run of messages, each sent once    first sequence    count of messages
 *   REPLY    template and check of the reply      sequence          receive time in ns
 *   DROPPED                                       -                 dropped records, in all
 *   END      the journal is complete                 -                 -
 * </pre>
 * A message that was sent once and answered once takes 24 bytes and its share of a SENT record.
 * <p>
 * Of messages of another service than the echo, a REPLY is the first one of its kind to a request: the template is the index of
 * the kind, and the check is 0.
 */
final class JournalFormat
{
    static final long MAGIC = 0x4c414e52554f4a45L;
    static final int VERSION = 1;
    static final int HEADER_LENGTH = 32;
    static final int RECORD_LENGTH = 24;
    static final int MAX_CLIENTS = 1 << 16;
    /** Messages of a SENT record: what one damaged record can make a reader allocate is bounded. */
    static final int MAX_RUN_LENGTH = 1 << 24;

    static final byte CLIENT = 1;
    static final byte SENT = 2;
    static final byte REPLY = 3;
    static final byte DROPPED = 4;
    static final byte END = 5;

    private JournalFormat()
    {
    }
}
