/**
 * The media driver that a process works with: the Java driver within it, the C driver as a process of its own, or another one.
 * Whichever it is, it is told the same; {@link io.clusterecho.media.driver.DriverLauncher} brings it up.
 */
package io.clusterecho.media.driver;
