package io.clusterecho.reporting.compare;

import java.io.StringWriter;
import java.util.Locale;

import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * A comparison as JUnit XML, which the servers of continuous integration show: a test case for whether the sets can be
 * compared, and one for each metric, which fails when it has become worse and is skipped when the sets have too few runs.
 */
public final class ComparisonJunit
{
    private static final String CLASS_NAME = "compare";

    private ComparisonJunit()
    {
    }

    /**
     * Put it into XML.
     *
     * @param comparison to show.
     */
    public static String xml(final Comparison comparison)
    {
        final StringWriter text = new StringWriter();
        try
        {
            final XMLStreamWriter xml = XMLOutputFactory.newInstance().createXMLStreamWriter(text);
            xml.writeStartDocument("UTF-8", "1.0");
            xml.writeStartElement("testsuite");
            xml.writeAttribute("name", CLASS_NAME);
            xml.writeAttribute("tests", String.valueOf(1 + comparison.changes().size()));
            xml.writeAttribute("errors", comparison.isRefused() ? "1" : "0");
            xml.writeAttribute("skipped", String.valueOf(comparison.isRefused() ? comparison.changes().size() : 0));
            xml.writeAttribute(
                "failures",
                String.valueOf(comparison.changes().stream().filter((one) -> Change.Outcome.WORSE == one.outcome()).count()));
            begin(xml, "sets are comparable");
            if (comparison.isRefused())
            {
                problem(xml, "error", comparison.refusals().get(0), String.join("\n", comparison.refusals()));
            }
            xml.writeEndElement();
            for (final Change change : comparison.changes())
            {
                put(xml, change, comparison);
            }
            xml.writeEndElement();
            xml.writeEndDocument();
            xml.close();
        }
        catch (final XMLStreamException ex)
        {
            throw new IllegalStateException("plain texts must be writable as XML", ex);
        }

        return text + "\n";
    }

    private static void put(final XMLStreamWriter xml, final Change change, final Comparison comparison)
        throws XMLStreamException
    {
        final Metric metric = change.metric();
        final String detail = String.format(
            Locale.ROOT, "A %s (%s), B %s (%s), p %.4f", metric.format(change.a().median()),
            ComparisonText.interval(metric, change.a()), metric.format(change.b().median()),
            ComparisonText.interval(metric, change.b()), change.adjustedPValue());
        begin(xml, metric.name());
        if (comparison.isRefused())
        {
            problem(xml, "skipped", comparison.summary(), detail);
        }
        else if (Change.Outcome.WORSE == change.outcome())
        {
            problem(xml, "failure", metric.kind() + " " + metric.name() + " changed by " + change.shareText(), detail);
        }
        else
        {
            xml.writeStartElement("system-out");
            xml.writeCharacters(change.outcome().sign() + " " + detail);
            xml.writeEndElement();
        }
        xml.writeEndElement();
    }

    private static void begin(final XMLStreamWriter xml, final String name) throws XMLStreamException
    {
        xml.writeStartElement("testcase");
        xml.writeAttribute("classname", CLASS_NAME);
        xml.writeAttribute("name", name);
    }

    private static void problem(final XMLStreamWriter xml, final String kind, final String message, final String detail)
        throws XMLStreamException
    {
        xml.writeStartElement(kind);
        xml.writeAttribute("message", message);
        xml.writeCharacters(detail);
        xml.writeEndElement();
    }
}
