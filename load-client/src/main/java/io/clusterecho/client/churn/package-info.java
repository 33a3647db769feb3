/**
 * Sessions that come and go beside a load: {@link io.clusterecho.client.churn.SessionChurn} owns a media driver, an Aeron client
 * and a thread apart from those of the load, on which {@link io.clusterecho.client.churn.ChurnAgent} opens each session when
 * it is due, exchanges its messages, and closes it or falls silent.
 */
package io.clusterecho.client.churn;
