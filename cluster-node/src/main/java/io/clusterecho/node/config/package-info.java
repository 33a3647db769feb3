/**
 * What a member is told: its settings, the immutable configuration made of them, and the ports that follow from it.
 */
package io.clusterecho.node.config;
