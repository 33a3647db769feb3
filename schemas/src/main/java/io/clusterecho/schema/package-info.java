/**
 * The layout of an echo message, drawn in {@code echo-schema.xml}, for code that writes or reads one without copying it.
 * The codecs that SBE generates stand in {@code io.clusterecho.schema.codecs}.
 */
package io.clusterecho.schema;
