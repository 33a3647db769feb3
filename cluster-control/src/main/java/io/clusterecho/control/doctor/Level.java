package io.clusterecho.control.doctor;

/** Result of a check. */
enum Level
{
    /** The host is as required. */
    OK,
    /** Works, with worse numbers. */
    WARN,
    /** Does not work, or numbers are meaningless. */
    FAIL,
    /** The host does not report it. */
    UNKNOWN
}
