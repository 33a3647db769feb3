package io.clusterecho.control.command;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The heading under which help shows an option, or the options of a class or record. Options without one are the command's own
 * and come first.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.TYPE, ElementType.FIELD, ElementType.RECORD_COMPONENT })
public @interface OptionGroup
{
    /** Headings, in the order of the help. */
    enum Heading
    {
        LOAD("Load"),
        DELIVERY("Delivery"),
        CONNECTION("Connection"),
        CLUSTER("Cluster"),
        CLIENTS("Several clients"),
        THREADS("Threads"),
        DRIVER("Media driver"),
        CALIBRATION("Calibration without a cluster"),
        OUTPUT("Output");

        private final String title;

        Heading(final String title)
        {
            this.title = title;
        }

        /** The heading as it is printed. */
        String title()
        {
            return title;
        }
    }

    Heading value();
}
