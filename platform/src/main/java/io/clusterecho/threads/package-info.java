/**
 * Scheduling of this process's threads: pinning ({@link io.clusterecho.threads.AgentThreads}) and demotion of compiler threads
 * ({@link io.clusterecho.threads.Compilers}).
 */
package io.clusterecho.threads;
