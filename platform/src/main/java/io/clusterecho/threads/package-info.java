/**
 * What the kernel is told about threads of this process: which processors they run on
 * ({@link io.clusterecho.threads.AgentThreads}), and which of them give way ({@link io.clusterecho.threads.Compilers}).
 */
package io.clusterecho.threads;
