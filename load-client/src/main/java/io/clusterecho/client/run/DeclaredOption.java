package io.clusterecho.client.run;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
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

import io.clusterecho.settings.InvalidSettingException;

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
}
