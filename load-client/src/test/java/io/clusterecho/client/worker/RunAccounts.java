package io.clusterecho.client.worker;

import static io.clusterecho.client.worker.FakeWorkers.MESSAGE_COUNT;
import static org.assertj.core.api.Assertions.assertThat;

import io.clusterecho.client.load.LoadResult;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.results.Accounts;
import io.clusterecho.reporting.results.ClientRecord;

/** What must hold for the accounts of every run. */
final class RunAccounts
{
    private RunAccounts()
    {
    }

    /** No client was lost, all messages were answered. */
    static void assertComplete(final LoadResult result)
    {
        assertAccounted(result, MESSAGE_COUNT);
        assertThat(result.measurement().outcome().of(Counter.ANSWERED)).isEqualTo(MESSAGE_COUNT);
        assertThat(result.failures()).isEmpty();
        assertThat(result.isEndedEarly()).isFalse();
    }

    /** Each message of the schedule is counted once in the accounts and in the distributions, of the whole and of each client. */
    static void assertAccounted(final LoadResult result, final int scheduled)
    {
        assertAccounted(result.measurement());
        assertThat(result.measurement().outcome().of(Counter.SCHEDULED)).isEqualTo(scheduled);
        for (final ClientRecord client : result.clients())
        {
            final Accounts accounts = client.accounts();
            assertThat(accounts.answered() + accounts.late() + accounts.unanswered() + accounts.neverSent())
                .isEqualTo(accounts.scheduled());
            assertThat(client.responseTimeNs().count()).isEqualTo(accounts.scheduled());
        }
        assertThat(result.clients().stream().mapToLong((client) -> client.accounts().scheduled()).sum()).isEqualTo(scheduled);
    }

    private static void assertAccounted(final LoadMeasurement measurement)
    {
        final LoadOutcome outcome = measurement.outcome();
        assertThat(outcome.replied() + outcome.lost()).isEqualTo(outcome.of(Counter.SCHEDULED));
        assertThat(measurement.times().of(Time.RESPONSE).getTotalCount()).isEqualTo(outcome.of(Counter.SCHEDULED));
    }
}
