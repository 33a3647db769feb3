/** Formats results for a terminal. */
package io.clusterecho.text;
