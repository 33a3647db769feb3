package io.clusterecho.reporting.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;

/** A tab of the {@link Browser}. One thread uses it. */
final class BrowserPage implements AutoCloseable
{
    private static final long DEADLINE_S = 180;
    private static final long LOOK_MS = 20;
    private static final int HEIGHT = 900;
    private static final int MAX_PICTURE_HEIGHT = 12_000;

    private final DevTools tools;
    private final String target;
    private final String session;
    private final boolean hasScripts;
    private int width;
    private String type = "screen";

    BrowserPage(final DevTools tools, final int width, final String address, final boolean hasScripts)
    {
        this.tools = tools;
        target = tools.call(null, "Target.createTarget", Map.of("url", "about:blank")).get("targetId").asText();
        session = tools.call(null, "Target.attachToTarget", Map.of("targetId", target, "flatten", true))
            .get("sessionId").asText();
        call("Page.enable", Map.of());
        call("Runtime.enable", Map.of());
        call("Log.enable", Map.of());
        this.hasScripts = hasScripts;
        call("Emulation.setScriptExecutionDisabled", Map.of("value", !hasScripts));
        resize(width);
        call("Page.navigate", Map.of("url", address));
    }

    /** Give the window another width, in CSS pixels, and let the page draw itself once. */
    void resize(final int width)
    {
        if (this.width == width)
        {
            return;
        }
        this.width = width;
        call("Emulation.setDeviceMetricsOverride", Map.of(
            "width", width, "height", HEIGHT, "deviceScaleFactor", 1, "mobile", false));
        settle();
    }

    /**
     * Show the page as on a screen or on paper.
     *
     * @param type   screen or print.
     * @param scheme light or dark.
     */
    void media(final String type, final String scheme)
    {
        call("Emulation.setEmulatedMedia", Map.of(
            "media", type, "features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
        if (!this.type.equals(type))
        {
            // Either event makes the page draw all its charts.
            evaluate("window.dispatchEvent(new Event('" + ("print".equals(type) ? "beforeprint" : "afterprint") + "'))");
        }
        this.type = type;
        settle();
    }

    /**
     * Evaluate an expression on the page.
     *
     * @param expression in JavaScript; a promise is awaited.
     * @return its value as JSON.
     * @throws IllegalStateException if it throws.
     */
    JsonNode evaluate(final String expression)
    {
        final JsonNode result = call(
            "Runtime.evaluate", Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
        if (result.has("exceptionDetails"))
        {
            throw new IllegalStateException(expression + " failed: " + result.get("exceptionDetails"));
        }
        return result.at("/result/value");
    }

    /**
     * Wait until an expression is true.
     *
     * @throws IllegalStateException if it is not within three minutes.
     */
    void await(final String expression) throws InterruptedException
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_S);
        while (!isTrue(expression))
        {
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new IllegalStateException(expression + " was not true within " + DEADLINE_S + " s: " + complaints());
            }
            Thread.sleep(LOOK_MS);
        }
    }

    void awaitDrawn() throws InterruptedException
    {
        await("document.documentElement.dataset.state === 'drawn' || document.querySelector('.page-error[role=alert]') !== null");
    }

    /**
     * Check the page with axe-core. A chart is one image to it, whatever it is drawn with.
     *
     * @param rules which rules, as an option of axe.run with a comma at its end; empty for all.
     * @return a line for each violation: rule, what is wrong, and up to three elements.
     */
    List<String> accessibilityViolations(final String rules)
    {
        if (evaluate("typeof axe").asText().equals("undefined"))
        {
            // Without the HTML of each element that it looked at: that of the body is the whole page with its data.
            evaluate(AxeCore.source() + "; axe.configure({ noHtml: true }); true");
        }
        final JsonNode violations = evaluate(
            "axe.run({ exclude: [['.chart > *']] }, { " + rules + "resultTypes: ['violations'] })" +
            ".then((result) => result.violations.map((one) => one.id + ': ' + one.help + ' at ' + " +
            "one.nodes.slice(0, 3).map((node) => node.target.join(' ') + ' ' + " +
            "node.any.concat(node.all, node.none).map((check) => check.message).join('; ')).join(' | ')))");
        return StreamSupport.stream(violations.spliterator(), false).map(JsonNode::asText).toList();
    }

    String html()
    {
        return evaluate("document.documentElement.outerHTML").asText();
    }

    /**
     * What the page shows when it has been drawn without an error: neither data nor scripts, which could satisfy a test by
     * themselves.
     *
     * @return as HTML.
     */
    String drawn()
    {
        final String document = evaluate("(() => { const shown = document.documentElement.cloneNode(true);" +
            "shown.querySelectorAll('script, noscript, style').forEach((node) => node.remove());" +
            "return shown.outerHTML; })()").asText();
        final Matcher error = Pattern.compile("<p class=\"page-error\">This page is incomplete: ([^<]*)").matcher(document);
        assertThat(error.find() ? error.group(1) : "").as("error on the page").isEmpty();
        assertThat(complaints()).as("messages on the console").isEmpty();
        assertThat(document).contains("data-state=\"drawn\"");
        return document;
    }

    /** Errors and other messages on the console. */
    List<String> complaints()
    {
        return tools.complaints(session);
    }

    /** The page from top to bottom, cut after 12,000 pixels, as PNG. */
    byte[] screenshot()
    {
        final JsonNode size = evaluate(
            "({ width: innerWidth, height: Math.min(" + MAX_PICTURE_HEIGHT + ", document.documentElement.scrollHeight) })");
        return data("Page.captureScreenshot", Map.of("captureBeyondViewport", true, "clip", Map.of(
            "x", 0, "y", 0, "width", size.get("width").asInt(), "height", size.get("height").asInt(), "scale", 1)));
    }

    /** The page as it prints, as PDF. */
    byte[] pdf()
    {
        return data("Page.printToPDF", Map.of("printBackground", false, "preferCSSPageSize", true));
    }

    @Override
    public void close()
    {
        tools.call(null, "Target.closeTarget", Map.of("targetId", target));
    }

    private byte[] data(final String method, final Map<String, Object> parameters)
    {
        return Base64.getDecoder().decode(call(method, parameters).get("data").asText());
    }

    /** Two frames: observers of sizes have run in the first. Without scripts there is nothing to run. */
    private void settle()
    {
        if (!hasScripts)
        {
            return;
        }
        evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))");
    }

    private boolean isTrue(final String expression)
    {
        try
        {
            return evaluate("Boolean(" + expression + ")").asBoolean();
        }
        catch (final IllegalStateException ex)
        {
            // A page that is just being loaded has nothing to evaluate in.
            return false;
        }
    }

    private JsonNode call(final String method, final Map<String, Object> parameters)
    {
        return tools.call(session, method, parameters);
    }
}
