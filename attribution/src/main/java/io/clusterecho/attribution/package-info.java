/** Where the time of each slow message went. */
package io.clusterecho.attribution;
