package io.clusterecho.platform;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionTest
{
    @ParameterizedTest
    @CsvSource({
        "-Djavax.net.ssl.keyStorePassword=abc, -Djavax.net.ssl.keyStorePassword=***",
        "--api-key=abc=d, --api-key=***",
        "echo.client.secret=abc, echo.client.secret=***",
        "-Dproxy=https://user:abc@host:1, -Dproxy=https://***@host:1" })
    void shouldRemoveSecrets(final String argument, final String redacted)
    {
        assertThat(Redaction.of(List.of(argument))).containsExactly(redacted);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "--credentials-file=/home/me/secret", "-Decho.credentials.file=abc", "--rate=100k", "-Xmx1g", "tokens",
        "http://127.0.0.1:80/" })
    void shouldLeaveTheRest(final String argument)
    {
        assertThat(Redaction.of(List.of(argument))).containsExactly(argument);
    }

    @Test
    void shouldRemoveTheWordAfterAnOption()
    {
        assertThat(Redaction.of(List.of("--password", "abc", "--token", "--rate", "1k", "--credentials-file", "abc")))
            .containsExactly("--password", "***", "--token", "--rate", "1k", "--credentials-file", "abc");
    }
}
