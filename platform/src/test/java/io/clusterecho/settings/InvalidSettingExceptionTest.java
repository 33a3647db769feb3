package io.clusterecho.settings;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class InvalidSettingExceptionTest
{
    @Test
    void shouldRejectOnlyIfTheConditionHolds()
    {
        InvalidSettingException.throwIf(false, "--rate", 0, "1 or more");
        InvalidSettingException.throwIf(false, "give one of them");
        assertThatThrownBy(() -> InvalidSettingException.throwIf(true, "--rate", 0, "1 or more"))
            .isInstanceOf(InvalidSettingException.class).hasMessage("--rate=0 is not allowed: 1 or more")
            .extracting((ex) -> ((InvalidSettingException)ex).withValue("0/s").getMessage())
            .isEqualTo("--rate=0/s is not allowed: 1 or more");
        assertThatThrownBy(() -> InvalidSettingException.throwIf(true, "give one of them"))
            .isInstanceOf(InvalidSettingException.class).hasMessage("give one of them");
    }
}
