package io.clusterecho.reporting.results;

import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Test cases as JUnit XML, which continuous integration servers show. */
public final class JunitSuite
{
    private final String name;
    private final long durationNs;
    private final List<Case> cases = new ArrayList<>();

    /**
     * @param element of its outcome: {@code system-out} if it passed, {@code failure} if it was judged and is not met, {@code
     *                error} if it could not be judged, or {@code skipped}.
     * @param message one sentence; null of one that passed.
     */
    private record Case(String name, String element, String message, String detail)
    {
    }

    /**
     * @param name       of the suite, and class name of its cases.
     * @param durationNs of its first case, in ns; the others are judged in no time.
     */
    public JunitSuite(final String name, final long durationNs)
    {
        this.name = name;
        this.durationNs = durationNs;
    }

    /** Add a case for whether anything can be judged: an error if there are refusals, with the first as its message. */
    public JunitSuite judgeable(final String caseName, final List<String> refusals, final String detail)
    {
        cases.add(refusals.isEmpty() ? new Case(caseName, "system-out", null, detail) :
            new Case(caseName, "error", refusals.get(0), String.join("\n", refusals)));
        return this;
    }

    /** Add a case that is skipped or failed, each with its reason, or passed, if both are null. */
    public JunitSuite judged(final String caseName, final String skipped, final String failure, final String detail)
    {
        cases.add(new Case(
            caseName, null != skipped ? "skipped" : null != failure ? "failure" : "system-out",
            null != skipped ? skipped : failure, detail));
        return this;
    }

    /** The suite as an XML document with a line feed at its end. */
    public String xml()
    {
        final StringWriter text = new StringWriter();
        try
        {
            final XMLStreamWriter xml = XMLOutputFactory.newInstance().createXMLStreamWriter(text);
            xml.writeStartDocument("UTF-8", "1.0");
            xml.writeStartElement("testsuite");
            xml.writeAttribute("name", name);
            xml.writeAttribute("tests", String.valueOf(cases.size()));
            xml.writeAttribute("errors", count("error"));
            xml.writeAttribute("skipped", count("skipped"));
            xml.writeAttribute("failures", count("failure"));
            xml.writeAttribute("time", seconds(durationNs));
            for (final Case one : cases)
            {
                write(xml, one);
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

    private static String seconds(final long timeNs)
    {
        return String.format(Locale.ROOT, "%.3f", timeNs / 1e9);
    }

    private String count(final String element)
    {
        return String.valueOf(cases.stream().filter((one) -> element.equals(one.element)).count());
    }

    private void write(final XMLStreamWriter xml, final Case one) throws XMLStreamException
    {
        xml.writeStartElement("testcase");
        xml.writeAttribute("classname", name);
        xml.writeAttribute("name", one.name);
        xml.writeAttribute("time", seconds(one == cases.get(0) ? durationNs : 0));
        if (null != one.message || !one.detail.isEmpty())
        {
            xml.writeStartElement(one.element);
            if (null != one.message)
            {
                xml.writeAttribute("message", one.message);
            }
            xml.writeCharacters(one.detail);
            xml.writeEndElement();
        }
        xml.writeEndElement();
    }
}
