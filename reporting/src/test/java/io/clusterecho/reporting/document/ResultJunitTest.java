package io.clusterecho.reporting.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

import javax.xml.parsers.DocumentBuilderFactory;

import io.clusterecho.reporting.results.Threshold;

import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class ResultJunitTest
{
    private static final List<Threshold> CONDITIONS = Threshold.parse("p99<1ms,lost==0");

    @Test
    void shouldPassAGoodResultAndEachCondition() throws Exception
    {
        final Element suite = suite("{'label':'a & b','verdict':{'good':true,'label':'GOOD','partial':false,'reasons':[]}}");
        assertThat(suite.getAttribute("name")).isEqualTo("a & b");
        assertThat(counts(suite)).isEqualTo("3 tests, 0 failures, 0 errors");
        assertThat(suite.getAttribute("time")).isEqualTo("32.500");
        final NodeList cases = suite.getElementsByTagName("testcase");
        assertThat(((Element)cases.item(0)).getAttribute("time")).isEqualTo("32.500");
        assertThat(((Element)cases.item(1)).getAttribute("time")).isEqualTo("0.000");
    }

    @Test
    void shouldFailTheConditionThatFailed() throws Exception
    {
        final Element suite = suite(
            "{'label':'run','verdict':{'good':false,'label':'FAILED','partial':false,'reasons':" +
            "['threshold failed: p99<1ms, but it is 2.00 ms'],'kinds':['THRESHOLD p99<1ms']}}");
        assertThat(counts(suite)).isEqualTo("3 tests, 1 failures, 0 errors");
        final Element failed = (Element)suite.getElementsByTagName("failure").item(0).getParentNode();
        assertThat(failed.getAttribute("name")).isEqualTo("p99<1ms");
    }

    @Test
    void shouldFailAResultThatCannotBeReliedOn() throws Exception
    {
        final Element suite = suite(
            "{'format':'cluster-echo-failover/1','verdict':{'good':false,'label':'FAILED','partial':false,'reasons':" +
            "['2 acknowledged messages were lost','rate missed']}}");
        assertThat(suite.getAttribute("name")).isEqualTo("cluster-echo-failover/1");
        assertThat(counts(suite)).isEqualTo("3 tests, 1 failures, 0 errors");
        final Element failure = (Element)suite.getElementsByTagName("failure").item(0);
        assertThat(failure.getAttribute("message")).isEqualTo("2 acknowledged messages were lost");
        assertThat(failure.getTextContent()).contains("rate missed");
    }

    @Test
    void shouldReportAnErrorForAResultThatWasCutShort() throws Exception
    {
        final Element suite = suite(
            "{'label':'run','verdict':{'good':false,'label':'PARTIAL','partial':true,'reasons':" +
            "['partial: ended before its schedule']}}");
        assertThat(counts(suite)).isEqualTo("3 tests, 0 failures, 1 errors");
    }

    private static Element suite(final String json) throws Exception
    {
        final String xml = ResultJunit.xml(json.replace('\'', '"'), CONDITIONS, 32_500_000_000L);
        return DocumentBuilderFactory.newInstance().newDocumentBuilder()
            .parse(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8))).getDocumentElement();
    }

    private static String counts(final Element suite)
    {
        final NodeList cases = suite.getElementsByTagName("testcase");
        assertThat(suite.getAttribute("tests")).isEqualTo(String.valueOf(cases.getLength()));
        return cases.getLength() + " tests, " + suite.getAttribute("failures") + " failures, " + suite.getAttribute("errors") +
            " errors";
    }
}
