package io.clusterecho.control.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.settings.InvalidSettingException;

import org.junit.jupiter.api.Test;

class AttemptsTest
{
    @Test
    void shouldContinueWithTheOthersWhenAHostFailsOrRefusesTheRequest()
    {
        final Iterator<RuntimeException> failures = Arrays.asList(
            new ControlFailure(ControlFailure.NOT_READY, "no answer"), new InvalidSettingException("another build"), null)
            .iterator();

        final List<?> found = new Attempts().filter(Arrays.asList(null, null, null), (member) ->
        {
            final RuntimeException failure = failures.next();
            if (null != failure)
            {
                throw failure;
            }
            return true;
        });

        assertThat(found).hasSize(1);
    }
}
