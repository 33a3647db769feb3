/**
 * Settings of a process: keys with documented defaults and ranges, read in a fixed order from defaults, property files, system
 * properties and the command line; a rejected one is reported with its value and what is allowed.
 */
package io.clusterecho.settings;
