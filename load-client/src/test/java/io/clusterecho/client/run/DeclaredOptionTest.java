package io.clusterecho.client.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;

import io.clusterecho.client.run.DeclaredOption.LoadOption;
import io.clusterecho.settings.InvalidSettingException;

import org.junit.jupiter.api.Test;

class DeclaredOptionTest
{
    /** A part with an option, as a new one is added. */
    record Part(
        @LoadOption(names = "--nap", label = "TIME", byDefault = "1s", kind = LoadOption.Kind.TIME, text = "Rest.")
        long napNs)
    {
        Part
        {
            InvalidSettingException.throwIf(napNs < 1, "--nap", napNs + "ns", "more than 0");
        }
    }

    record Whole(
        Part part,
        @LoadOption(names = "--tag", label = "TEXT", text = "Tags.") List<String> tags,
        @LoadOption(names = "--loud", text = "Noise.") boolean isLoud,
        String remark)
    {
    }

    @Test
    void shouldDeriveTextsAndOtherRecordsFromTheDeclaration()
    {
        final Whole whole = DeclaredOption.read(Whole.class, Map.of(
            "part", DeclaredOption.read(Part.class, Map.of("--nap", 5L)), "--tag", List.of("a", "b"), "remark", "x"));
        assertThat(whole).isEqualTo(new Whole(new Part(5), List.of("a", "b"), false, "x"));
        assertThat(DeclaredOption.texts(whole))
            .isEqualTo(Map.of("nap", List.of("5ns"), "tag", List.of("a", "b"), "loud", List.of("false")));
        assertThat(DeclaredOption.with(whole, Map.of("--nap", 6L, "remark", "y")))
            .isEqualTo(new Whole(new Part(6), List.of("a", "b"), false, "y"));
        assertThatThrownBy(() -> DeclaredOption.with(whole, Map.of("--nap", 0L)))
            .isInstanceOf(InvalidSettingException.class).hasMessage("--nap=0ns is not allowed: more than 0");
    }

    @Test
    void shouldReadTheTextsOfEachOptionThatItMakes()
    {
        final Map<String, Object> defaults = DeclaredOption.values(List.of());
        assertThat(defaults).hasSizeGreaterThan(25);
        for (final DeclaredOption option : DeclaredOption.ALL)
        {
            final Object value = defaults.get(option.name());
            if (null != value)
            {
                final List<String> texts = option.texts(value);
                final List<String> arguments = texts.stream().map((text) -> option.name() + "=" + text).toList();
                assertThat(option.texts(DeclaredOption.values(arguments).get(option.name()))).as(option.name()).isEqualTo(texts);
            }
        }
        assertThat(DeclaredOption.ALL).extracting(DeclaredOption::name).doesNotHaveDuplicates();
    }

    @Test
    void shouldNameOptionValueAndWhatIsAllowed()
    {
        assertThatThrownBy(() -> DeclaredOption.values(List.of("--idle=loud"))).isInstanceOf(InvalidSettingException.class)
            .hasMessage("--idle=loud is not allowed: one of [auto, spin, yield, sleep, backoff]");
        assertThatThrownBy(() -> DeclaredOption.values(List.of("--connections", "0")))
            .isInstanceOf(InvalidSettingException.class).hasMessageStartingWith("--connections=0 is not allowed: a whole number");
        assertThatThrownBy(() -> DeclaredOption.values(List.of("--colour=red"))).isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining("--colour");
    }
}
