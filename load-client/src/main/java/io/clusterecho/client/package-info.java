/**
 * The instrument.
 */
package io.clusterecho.client;
