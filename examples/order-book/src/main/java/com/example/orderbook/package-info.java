/** A small matching service on Aeron Cluster, and its messages for a load. */
package com.example.orderbook;
