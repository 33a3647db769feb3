package io.clusterecho.reporting.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;

import javax.imageio.ImageIO;

import io.clusterecho.testing.Need;

/** A headless Chromium that opens pages. All tests of a JVM share one, which ends with the JVM. */
final class Browser
{
    private static final int DESK_WIDTH = 1200;
    private static final int PHONE_WIDTH = 390;

    private static Browser shared;

    private final DevTools tools;

    private Browser(final Path executable) throws IOException, InterruptedException
    {
        tools = new DevTools(executable);
        Runtime.getRuntime().addShutdownHook(new Thread(tools::stop));
    }

    /** The browser of this JVM, started by the first call. Skips the calling test if the machine has none. */
    static synchronized Browser required() throws IOException, InterruptedException
    {
        final Path executable = Need.BROWSER.program();
        if (null == shared)
        {
            shared = new Browser(executable);
        }
        return shared;
    }

    /**
     * Open a page in a tab of its own and wait until it has drawn itself or shows an error.
     *
     * @param address of the page.
     * @return the tab, to be closed.
     */
    BrowserPage open(final String address) throws InterruptedException
    {
        return open(address, DESK_WIDTH);
    }

    /**
     * As {@link #open(String)}, in a window of another width than a desk has.
     *
     * @param address of the page.
     * @param width   in CSS pixels.
     * @return the tab, to be closed.
     */
    BrowserPage open(final String address, final int width) throws InterruptedException
    {
        final BrowserPage page = new BrowserPage(tools, width, address, true);
        page.awaitDrawn();
        return page;
    }

    /**
     * Open a page as a browser does whose scripts are off.
     *
     * @param file of the page.
     * @return the tab, to be closed.
     */
    BrowserPage openWithoutScripts(final Path file) throws InterruptedException
    {
        final BrowserPage page = new BrowserPage(tools, DESK_WIDTH, file.toUri().toString(), false);
        page.await("document.readyState === 'complete' && location.protocol === 'file:'");
        return page;
    }

    /**
     * What a page shows when it has been drawn without an error: neither data nor scripts, which could satisfy a test by
     * themselves.
     *
     * @param file of the page.
     * @return as HTML.
     */
    String drawn(final Path file) throws InterruptedException
    {
        return drawn(file.toUri().toString());
    }

    /**
     * As {@link #drawn(Path)}, of a page on a server.
     *
     * @param address of the page.
     * @return as HTML.
     */
    String drawn(final String address) throws InterruptedException
    {
        try (BrowserPage page = open(address))
        {
            return page.drawn();
        }
    }

    /**
     * As {@link #drawn(Path)}, of a page of which pictures are kept.
     *
     * @param file of the page.
     * @param name of the pictures.
     * @return as HTML.
     */
    String drawn(final Path file, final String name) throws IOException, InterruptedException
    {
        try (BrowserPage page = open(file.toUri().toString()))
        {
            final String document = page.drawn();
            screenshots(page, name);
            return document;
        }
    }

    /**
     * The document of a page after its scripts have run, with or without errors.
     *
     * @param file of the page.
     * @return as HTML.
     */
    String dump(final Path file) throws InterruptedException
    {
        try (BrowserPage page = open(file.toUri().toString()))
        {
            return page.html();
        }
    }

    /**
     * Keep pictures of a page on a desk and on a phone, for people to look at: below {@code target/screenshots}.
     *
     * @param page as on a screen; its width changes.
     * @param name of the pictures.
     */
    static void screenshots(final BrowserPage page, final String name) throws IOException
    {
        final Path target = Files.createDirectories(Path.of("target", "screenshots").toAbsolutePath());
        for (final int width : new int[]{ DESK_WIDTH, PHONE_WIDTH })
        {
            page.resize(width);
            final byte[] picture = page.screenshot();
            Files.write(target.resolve(name + (DESK_WIDTH == width ? "-desktop" : "-phone") + ".png"), picture);
            final BufferedImage image = ImageIO.read(new ByteArrayInputStream(picture));
            assertThat(image.getWidth()).isEqualTo(width);
            // Of one colour only is a page that shows nothing.
            assertThat(IntStream.range(0, image.getHeight()).map((y) -> image.getRGB(image.getWidth() / 2, y))
                .distinct().count()).as(name + ", " + width).isGreaterThan(2);
        }
    }
}
