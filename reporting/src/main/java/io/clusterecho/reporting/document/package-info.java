/**
 * The JSON documents of results, as {@code docs/results-format.md} describes them: written from records, and read back.
 */
package io.clusterecho.reporting.document;
