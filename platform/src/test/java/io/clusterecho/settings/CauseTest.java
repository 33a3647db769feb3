package io.clusterecho.platform;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MemoryFaultTest
{
    private static final String MESSAGE = "a fault occurred in a recent unsafe memory access operation in compiled Java code";

    @Test
    void shouldExplainTheErrorOfTheJvm()
    {
        assertThat(MemoryFault.is(new InternalError(MESSAGE))).isTrue();
        assertThat(MemoryFault.text(new InternalError(MESSAGE)))
            .isEqualTo("shared memory or a disk is full: no page could be allocated for a mapped file (" + MESSAGE + ")");
    }

    @Test
    void shouldNotExplainOtherErrors()
    {
        assertThat(MemoryFault.is(new InternalError())).isFalse();
        assertThat(MemoryFault.is(new IllegalStateException(MESSAGE))).isFalse();
        assertThat(MemoryFault.text(new InternalError("other"))).isEqualTo("java.lang.InternalError: other");
    }
}
