/** What a load needs to know of the messages of a service other than the echo. */
package io.clusterecho.codec;
