/**
 * What is recorded during a run: the state of each message, the events of the sessions, and a journal that grows. Calls by the
 * agent do not allocate after construction.
 */
package io.clusterecho.client.record;
