/**
 * The media driver of a process: the Java driver or the C driver in it, the C driver in a separate process, or an external
 * one. All kinds get the same configuration; {@link io.clusterecho.media.driver.DriverLauncher} launches them.
 */
package io.clusterecho.media.driver;
