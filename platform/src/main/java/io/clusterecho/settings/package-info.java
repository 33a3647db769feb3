/**
 * Settings of a process: keys with documented defaults and ranges, read in a fixed order from defaults, property files, system
 * properties and the command line; a rejected one is reported with its value and what is allowed. And failures of arguments and
 * of input and output, which say what was tried.
 */
package io.clusterecho.settings;
