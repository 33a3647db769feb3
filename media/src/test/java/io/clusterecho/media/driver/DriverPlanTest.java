package io.clusterecho.media.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;

import org.junit.jupiter.api.Test;

import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Settings;

class DriverPlanTest
{
    private static final DriverKeys KEYS = DriverKeys.below("echo.", "echo.aeron.dir");

    private final Settings settings = new Settings("echo.", KEYS.all());

    @Test
    void shouldEmbedTheJavaDriverByDefault()
    {
        final DriverPlan plan = DriverPlan.of(settings, KEYS);

        assertThat(plan.isJava()).isTrue();
        assertThat(plan.isFound()).isFalse();
        assertThat(plan.text()).isEqualTo("java");
    }

    @Test
    void shouldTakeACommandLineApartAtItsBlanks()
    {
        settings.put("echo.driver", "c", "test");
        settings.put("echo.driver.command", " nice  -n 5 aeronmd ", "test");
        settings.put("echo.driver.c.send.vector", "16", "test");

        final DriverPlan plan = DriverPlan.of(settings, KEYS);

        assertThat(plan.command()).containsExactly("nice", "-n", "5", "aeronmd");
        assertThat(plan.sendVector()).isEqualTo(16);
        assertThat(plan.receiveVector()).isEqualTo(4);
        assertThat(plan.messagesPerSend()).isEqualTo(4);
        assertThat(plan.isFound()).isFalse();
        assertThat(plan.text()).isEqualTo("c (nice -n 5 aeronmd)");
    }

    @Test
    void shouldRefuseACommandAndAMissingLibraryOfAnEmbeddedDriver()
    {
        settings.put("echo.driver", "embedded", "test");
        settings.put("echo.driver.command", "aeronmd", "test");
        assertThatThrownBy(() -> DriverPlan.of(settings, KEYS))
            .isInstanceOf(InvalidSettingException.class)
            .hasMessage("echo.driver.command=aeronmd is not allowed: must not be set with echo.driver=embedded");

        assertThatThrownBy(() -> DriverPlan.embeddedDriver(Optional.empty(), KEYS))
            .isInstanceOf(InvalidSettingException.class)
            .hasMessage("echo.driver=embedded needs .c-driver/libembedded-driver.so beside the jar, which does not exist: " +
            "run scripts/build-c-driver.sh");
    }

    @Test
    void shouldFindAnExternalDriverThatNoCommandStarts()
    {
        settings.put("echo.driver", "external", "test");

        assertThat(DriverPlan.of(settings, KEYS).isFound()).isTrue();
    }

    @Test
    void shouldRefuseAProgramThatIsNotThere()
    {
        settings.put("echo.driver", "external", "test");
        settings.put("echo.driver.command", "/no/such/driver -x", "test");

        assertThatThrownBy(() -> DriverPlan.of(settings, KEYS))
            .isInstanceOf(InvalidSettingException.class)
            .hasMessage("echo.driver.command=/no/such/driver -x is not allowed: a program, with its path or on the PATH; " +
            "there is no executable /no/such/driver");
    }

    @Test
    void shouldRejectSettingsThatTheJavaDriverDoesNotHave()
    {
        settings.put("echo.driver.c.messages.per.send", "4", "the default");
        assertThat(DriverPlan.of(settings, KEYS).isJava()).isTrue();

        settings.put("echo.driver.c.messages.per.send", "8", "test");
        assertThatThrownBy(() -> DriverPlan.of(settings, KEYS))
            .isInstanceOf(InvalidSettingException.class)
            .hasMessage("echo.driver.c.messages.per.send=8 is not allowed: must not be set with echo.driver=java");
    }

    @Test
    void shouldRefuseAnotherKindAndAVectorThatIsTooLong()
    {
        settings.put("echo.driver", "rust", "test");
        assertThatThrownBy(() -> DriverPlan.of(settings, KEYS))
            .isInstanceOf(InvalidSettingException.class)
            .hasMessage("echo.driver=rust is not allowed: java, embedded, c or external");

        settings.put("echo.driver", "external", "test");
        settings.put("echo.driver.c.receive.vector", "17", "test");
        assertThatThrownBy(() -> DriverPlan.of(settings, KEYS))
            .isInstanceOf(InvalidSettingException.class)
            .hasMessage("echo.driver.c.receive.vector=17 is not allowed: a whole number from 1 to 16");
    }
}
