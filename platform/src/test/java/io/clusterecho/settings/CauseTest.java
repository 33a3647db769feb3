package io.clusterecho.settings;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CauseTest
{
    private static final String MESSAGE = "a fault occurred in a recent unsafe memory access operation in compiled Java code";

    @Test
    void shouldExplainTheErrorOfTheJvm()
    {
        assertThat(Cause.isMemoryFault(new InternalError(MESSAGE))).isTrue();
        assertThat(Cause.ofError(new InternalError(MESSAGE)))
            .isEqualTo("shared memory or a disk is full: no page could be allocated for a mapped file (" + MESSAGE + ")");
    }

    @Test
    void shouldNotExplainOtherErrors()
    {
        assertThat(Cause.isMemoryFault(new InternalError())).isFalse();
        assertThat(Cause.isMemoryFault(new IllegalStateException(MESSAGE))).isFalse();
        assertThat(Cause.ofError(new InternalError("other"))).isEqualTo("java.lang.InternalError: other");
    }
}
