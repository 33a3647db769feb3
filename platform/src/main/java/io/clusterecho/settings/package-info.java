/**
 * Settings of a process: keys with documented defaults and ranges, taken in a fixed order from defaults, property files,
 * system properties and the command line, and rejected by name, value and what is allowed.
 */
package io.clusterecho.settings;
