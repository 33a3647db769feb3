package io.clusterecho.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;

import org.junit.jupiter.api.Test;

class TextTableTest
{
    @Test
    void shouldMakeEachColumnAsWideAsItsLongestCell()
    {
        final TextTable table = new TextTable().left("cell").right("runs").right("rate/s").left("")
            .row("fsync=1, size=288", 3, "1,000", "")
            .row("a", "12/12", "10", "! missed the rate");
        assertThat(table.text()).isEqualTo(
            "cell                runs  rate/s\n" +
            "fsync=1, size=288      3   1,000\n" +
            "a                  12/12      10  ! missed the rate\n");
    }

    @Test
    void shouldShowNoHeadersWhereThereAreNone()
    {
        assertThat(new TextTable().left("").right("").row("sessions", 3).row("gaps", 10).text())
            .isEqualTo("sessions   3\ngaps      10\n");
    }

    @Test
    void shouldShowHeadersWithoutRows()
    {
        assertThat(new TextTable().left("cell").right("p50").text()).isEqualTo("cell  p50\n");
    }

    @Test
    void shouldWriteMarkdown()
    {
        final TextTable table = new TextTable().left("").right("p50").left("remark")
            .row("a|b", "1 us", "").row(List.of("c", "20 us", "**worse**"));
        assertThat(table.markdown()).isEqualTo(
            "| | p50 | remark |\n" +
            "|---|--:|---|\n" +
            "| a\\|b | 1 us | |\n" +
            "| c | 20 us | **worse** |\n");
    }

    @Test
    void shouldRefuseARowThatDoesNotFit()
    {
        final TextTable table = new TextTable().left("cell").right("p50");
        assertThatThrownBy(() -> table.row("a")).hasMessage("expected cells=2, actual=1");
        table.row("a", 1);
        assertThatThrownBy(() -> table.right("p99")).hasMessage("add columns before rows");
    }
}
