/**
 * Scheduling of this process's threads: pinning ({@link io.clusterecho.threads.AgentThreads}), restriction of the compilers
 * ({@link io.clusterecho.threads.Compilers}), and waits for a thread to end.
 */
package io.clusterecho.threads;
