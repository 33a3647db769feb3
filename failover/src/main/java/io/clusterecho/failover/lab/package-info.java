/**
 * The failover lab: injects faults into members of a cluster under load and measures each outage.
 * {@link io.clusterecho.failover.lab.FailoverLab} runs the cycles, {@code Cycle} is the result of one fault, and
 * {@code CycleTimeline} shows replies and response times around it.
 */
package io.clusterecho.failover.lab;
