package io.clusterecho.client.run;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;

import io.clusterecho.client.load.WarmUpTime;
import io.clusterecho.client.schedule.RateProfile;
import io.clusterecho.reporting.results.Threshold;
import io.clusterecho.settings.IllegalArgument;
import io.clusterecho.settings.Quantity;

/**
 * Declares an option on the component of a record that has its value. Command line, help, property files, the record of a
 * result, the command line of a worker, and configurations with another value are derived from it.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface LoadOption
{
    /** Names with dashes; without them the first is the key in property files and results. */
    String[] names();

    /** What help shows in place of the value; nothing for a flag. */
    String label() default "";

    Kind kind() default Kind.PLAIN;

    /** The default as text, or nothing. */
    String[] byDefault() default { };

    /** Description, in which {@code ${DEFAULT-VALUE}} and {@code ${COMPLETION-CANDIDATES}} are replaced. */
    String text();

    /** Whether the command needs it. */
    boolean isRequired() default false;

    /** Whether commas separate the elements of a list. */
    boolean isSplit() default false;

    /** Whether a worker needs it; a worker keeps no results and starts no other clients. */
    boolean isOfWorker() default true;

    /** How a text becomes a value. */
    enum Kind
    {
        /** By the type of the component: a text, a path, a whole number, a flag or a constant of an enum. */
        PLAIN((text) -> text),
        TRANSPORT((text) -> text),
        /** A duration in ns. */
        TIME(Quantity::parseDurationNs),
        /** A length in bytes. */
        SIZE(Quantity::parseSize),
        /** A whole number from 1. */
        COUNT(Kind::count),
        /** A number per second. */
        PER_SECOND(Quantity::parseRate),
        /** A share, 1 for all. */
        SHARE(Quantity::parseShare),
        /** A factor of speed. */
        FACTOR(Kind::factor),
        RATE(RateProfile::parse),
        LENGTHS(MixConfig::parse),
        MESSAGES(MixConfig.Kind::parse),
        WARM_UP(WarmUpTime::parse),
        DELIVERY(LoadConfig.Mode::parse),
        STALL(TargetConfig.Stall::parse),
        CONDITIONS(Threshold::parse),
        TITLE(Kind::title),
        /** A folder that is made if it is missing. */
        FOLDER(Kind::folder);

        private final Function<String, Object> parser;

        Kind(final Function<String, Object> parser)
        {
            this.parser = parser;
        }

        /** Parse a text; the message of an {@link IllegalArgumentException} is what is allowed. */
        public Object parse(final String text)
        {
            return parser.apply(text);
        }

        /** Values for help and completion; null for those of an enum. */
        public Iterable<String> candidates()
        {
            return TRANSPORT == this ? new TransportNames() : null;
        }

        private static Object count(final String text)
        {
            return allowed(text.matches("0*[1-9][0-9]{0,8}"), text, "a whole number of at least 1", Integer::valueOf);
        }

        private static Object factor(final String text)
        {
            final String allowed = "a factor from 0.001 to 1000, such as 2 or 0.5";
            final double factor = allowed(text.matches("[0-9]{1,4}(\\.[0-9]{1,6})?"), text, allowed, Double::parseDouble);
            return allowed(factor >= 0.001 && factor <= 1_000, text, allowed, Double::valueOf);
        }

        private static Object title(final String text)
        {
            return allowed(
                text.matches("\\P{Cntrl}{1,80}") && !text.isBlank(), text, "1 to 80 printable characters", Function.identity());
        }

        private static Object folder(final String text)
        {
            Path existing = Path.of(text).toAbsolutePath();
            while (null != existing && !Files.exists(existing))
            {
                existing = existing.getParent();
            }
            return allowed(
                !text.isBlank() && null != existing && Files.isDirectory(existing) && Files.isWritable(existing), text,
                "a folder that can be created and written, such as results or .", Path::of);
        }

        private static <T> T allowed(
            final boolean isAllowed, final String text, final String allowed, final Function<String, T> parser)
        {
            IllegalArgument.throwIf(!isAllowed, allowed);
            return parser.apply(text);
        }
    }
}
