package io.clusterecho.client.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.client.load.LoadView.SessionEvent;

import org.junit.jupiter.api.Test;

class LoadRecordsTest
{
    @Test
    void shouldKeepTheLatestReceiveTimeWhenRepliesArePolledInAnotherOrder()
    {
        final LoadRecords records = new LoadRecords(false, List.of(), List.of());
        assertThat(records.lastAnswerNs).isZero();
        records.onEcho(true, 3, 0);
        records.onEcho(true, 5, 0);
        records.onEcho(true, 4, 0);
        assertThat(records.lastAnswerNs).isEqualTo(5);
    }

    @Test
    void shouldRecordTheLeaderOfATermOnceForAllSessions()
    {
        final LoadRecords records = new LoadRecords(false, List.of(), List.of());
        records.onNewLeader(0, 3, 10);
        records.onNewLeader(0, 3, 11);
        assertThat(records.events()).as("the first leader is not new").isEmpty();
        records.onNewLeader(2, 4, 20);
        records.onNewLeader(2, 4, 21);
        records.onNewLeader(0, 3, 22);
        records.onNewLeader(2, 5, 30);
        assertThat(records.events()).extracting(SessionEvent::timeNs).as("elected again").containsExactly(20L, 30L);
        assertThat(records.leaderMemberId).isEqualTo(2);
        assertThat(records.value(Counter.NEW_LEADERS)).isEqualTo(1);
    }
}
