/** Messages of other services than the echo. */
package io.clusterecho.client.messages;
