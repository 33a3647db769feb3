/** The JSON documents of results, described in {@code docs/results-format.md}; written from records and read back. */
package io.clusterecho.reporting.document;
