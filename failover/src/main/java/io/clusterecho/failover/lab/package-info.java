/**
 * The failover lab: injects faults into members of a cluster while a load goes on, and measures what each one cost.
 * {@link io.clusterecho.failover.lab.FailoverLab} leads the cycles, {@code Cycle} is what one fault came to,
 * {@code CycleTimeline} what the client saw around it.
 */
package io.clusterecho.failover.lab;
