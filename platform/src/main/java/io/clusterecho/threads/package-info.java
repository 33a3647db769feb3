/**
 * Scheduling of this process's threads: pinning ({@link io.clusterecho.threads.AgentThreads}) and restriction of the compilers
 * ({@link io.clusterecho.threads.Compilers}).
 */
package io.clusterecho.threads;
