/**
 * How results are set out for a person at a terminal.
 */
package io.clusterecho.text;
