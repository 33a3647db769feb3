/** The settings of a member, the immutable configuration made from them, and the ports derived from it. */
package io.clusterecho.node.config;
