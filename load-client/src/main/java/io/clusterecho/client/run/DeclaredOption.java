package io.clusterecho.client.run;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

import io.clusterecho.client.load.WarmUpTime;
import io.clusterecho.client.schedule.Messages;
import io.clusterecho.client.schedule.RateProfile;
import io.clusterecho.reporting.results.Threshold;
import io.clusterecho.settings.IllegalArgument;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;

/** An option: a component of {@link RunConfig}, of the record of a command, or of a record in one, with a {@link LoadOption}. */
public record DeclaredOption(LoadOption declaration, RecordComponent component)
{
    /** All options of a load, in their order in the help. */
    public static final List<DeclaredOption> ALL = of(RunConfig.class).toList();

    /** First name, with dashes. */
    public String name()
    {
        return declaration.names()[0];
    }

    /** Its value where none is given; null for none. */
    public Object byDefault()
    {
        return 0 == declaration.byDefault().length ? null : parsed(declaration.byDefault()[0]);
    }

    private boolean isList()
    {
        return List.class == component.getType();
    }

    /** Type of the value, or of an element of a list. */
    public Class<?> type()
    {
        return isList() ?
            (Class<?>)((ParameterizedType)component.getGenericType()).getActualTypeArguments()[0] : component.getType();
    }

    /** Texts from which an equal value is parsed: one, or one for each element of a list. */
    public List<String> texts(final Object value)
    {
        return value instanceof List<?> list ? list.stream().map(this::text).toList() : List.of(text(value));
    }

    private String text(final Object value)
    {
        return value instanceof Enum<?> ? value.toString().toLowerCase(Locale.ROOT) :
            LoadOption.Kind.TIME == declaration.kind() ? value + "ns" : value.toString();
    }

    private Object parsed(final String text)
    {
        final LoadOption.Kind kind = declaration.kind();
        final Function<String, Object> parser = LoadOption.Kind.PLAIN == kind ? this::plain : kind::parse;
        return InvalidSettingException.parsed(name(), text, null, parser);
    }

    private Object plain(final String text)
    {
        final Class<?> type = type();
        return Path.class == type ? Path.of(text) : boolean.class == type ? Boolean.valueOf(text) :
            long.class == type ? Long.valueOf(text) : !type.isEnum() ? text :
            Stream.of(type.getEnumConstants()).filter((one) -> one.toString().equalsIgnoreCase(text)).findFirst()
            .orElseThrow(() -> new IllegalArgumentException("one of " + Arrays.toString(type.getEnumConstants())));
    }

    /**
     * Values of all options, by name, of arguments {@code --name=value} or {@code --name value}. Of those that are given twice
     * the last counts; a list has all. Those that are not given have their defaults.
     */
    public static Map<String, Object> values(final List<String> arguments)
    {
        final Map<String, Object> values = given(arguments);
        ALL.forEach((option) -> values.computeIfAbsent(option.name(), (ignored) -> option.byDefault()));
        return values;
    }

    /** As {@link #values}, without those that are not given. */
    static Map<String, Object> given(final List<String> arguments)
    {
        final Map<String, Object> values = new TreeMap<>();
        for (final Iterator<String> words = arguments.iterator(); words.hasNext();)
        {
            final String[] parts = words.next().split("=", 2);
            final DeclaredOption option = ALL.stream()
                .filter((one) -> List.of(one.declaration.names()).contains(parts[0])).findFirst()
                .orElseThrow(() -> new InvalidSettingException("unknown option of a load: " + parts[0]));
            final Object value = option.parsed(
                2 == parts.length ? parts[1] : boolean.class != option.type() && words.hasNext() ? words.next() : "true");
            values.merge(
                option.name(), option.isList() && !(value instanceof List<?>) ? List.of(value) : value,
                (before, next) -> option.isList() ?
                Stream.of(before, next).flatMap((one) -> ((List<?>)one).stream()).toList() : next);
        }
        return values;
    }

    /**
     * A record from values by the names of its options and other components, and so the records in it that have none. Without one
     * a flag is false, and a list empty.
     */
    public static <R extends Record> R read(final Class<R> type, final Map<String, ?> values)
    {
        return made(type, (component) ->
        {
            final Object value = values.get(nameOf(component));
            return null != value ? value : isPart(component) ? read(component.getType().asSubclass(Record.class), values) :
                boolean.class == component.getType() ? Boolean.FALSE : List.class == component.getType() ? List.of() : null;
        });
    }

    /** A record with other values, by the names of options and other components of it and of the records in it. */
    @SuppressWarnings("unchecked")
    static <R extends Record> R with(final R record, final Map<String, ?> values)
    {
        return made((Class<R>)record.getClass(), (component) ->
            values.containsKey(nameOf(component)) ? values.get(nameOf(component)) :
            isPart(component) ? with((Record)get(component, record), values) : get(component, record));
    }

    /** Texts of the options of a record, and of the records in it, by name without dashes; those without a value are left out. */
    static SortedMap<String, List<String>> texts(final Record record)
    {
        final SortedMap<String, List<String>> texts = new TreeMap<>();
        for (final RecordComponent component : record.getClass().getRecordComponents())
        {
            final Object value = get(component, record);
            if (isPart(component))
            {
                texts.putAll(texts((Record)value));
            }
            else if (null != value)
            {
                of(component).forEach((option) -> texts.put(option.name().substring(2), option.texts(value)));
            }
        }
        return texts;
    }

    /** The options of a record and of the records in it. */
    public static Stream<DeclaredOption> of(final Class<?> type)
    {
        return Stream.of(type.getRecordComponents())
            .flatMap((component) -> isPart(component) ? of(component.getType()) : of(component));
    }

    private static Stream<DeclaredOption> of(final RecordComponent component)
    {
        return Stream.ofNullable(component.getAnnotation(LoadOption.class))
            .map((declaration) -> new DeclaredOption(declaration, component));
    }

    /** Whether a component is a record with options. */
    private static boolean isPart(final RecordComponent component)
    {
        return component.getType().isRecord() &&
            Stream.of(component.getType().getRecordComponents()).anyMatch((one) -> one.isAnnotationPresent(LoadOption.class));
    }

    private static String nameOf(final RecordComponent component)
    {
        return of(component).map(DeclaredOption::name).findFirst().orElse(component.getName());
    }

    private static <R extends Record> R made(final Class<R> type, final Function<RecordComponent, Object> values)
    {
        final RecordComponent[] components = type.getRecordComponents();
        final Object[] arguments = Stream.of(components).map(values).toArray();
        try
        {
            final Constructor<R> constructor =
                type.getDeclaredConstructor(Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
            // A command keeps the record of its options to itself.
            constructor.setAccessible(true);
            return constructor.newInstance(arguments);
        }
        catch (final InvocationTargetException ex)
        {
            throw ex.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(ex);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    private static Object get(final RecordComponent component, final Record record)
    {
        try
        {
            return component.getAccessor().invoke(record);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

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
            FACTOR(Kind::factor),
            RATE(RateProfile::parse),
            LENGTHS(Messages::parse),
            MESSAGES(Messages::parseKind),
            WARM_UP(WarmUpTime::parse),
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
                IllegalArgument.throwIf(!text.matches("0*[1-9][0-9]{0,8}"), "a whole number of at least 1");
                return Integer.valueOf(text);
            }

            private static Object factor(final String text)
            {
                final double factor = text.matches("[0-9]{1,4}(\\.[0-9]{1,6})?") ? Double.parseDouble(text) : 0;
                IllegalArgument.throwIf(factor < 0.001 || factor > 1_000, "a factor from 0.001 to 1000, such as 2 or 0.5");
                return factor;
            }

            private static Object title(final String text)
            {
                IllegalArgument.throwIf(!text.matches("\\P{Cntrl}{1,80}") || text.isBlank(), "1 to 80 printable characters");
                return text;
            }

            private static Object folder(final String text)
            {
                Path existing = Path.of(text).toAbsolutePath();
                while (null != existing && !Files.exists(existing))
                {
                    existing = existing.getParent();
                }
                IllegalArgument.throwIf(
                    text.isBlank() || null == existing || !Files.isDirectory(existing) || !Files.isWritable(existing),
                    "a folder that can be created and written, such as results or .");
                return Path.of(text);
            }
        }
    }
}
