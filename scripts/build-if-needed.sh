# shellcheck shell=bash
# Sourced by the other scripts: finds the root of the checkout and builds jars that are missing or older than their sources.
# Builds nothing in an unpacked distribution, which has no sources.
#
#   source "$(dirname "${BASH_SOURCE[0]}")/build-if-needed.sh"
#   build_if_needed cluster-node.jar load-client.jar

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"

java=java
if [[ -n "${JAVA_HOME:-}" ]]
then
    java="$JAVA_HOME/bin/java"
    if [[ ! -x "$java" ]]
    then
        echo "JAVA_HOME=$JAVA_HOME has no bin/java: set it to a JDK 17 or later, or unset it" >&2
        exit 2
    fi
fi

# A JVM names files in the characters of the locale, and with LC_ALL=C it has none for those beyond ASCII.
if [[ "$(locale charmap 2> /dev/null)" == ANSI_X3.4-1968 ]]
then
    export LC_ALL=C.UTF-8
fi

# The header comment of a script is its help.
print_help()
{
    sed -n '2,/^[^#]/ s/^# \{0,1\}//p' "$1"
}

# Commands run for about a second: with the C1 compiler alone they start fastest.
command_flags=(-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData)

run_node()
{
    exec "$java" "${command_flags[@]}" -jar "$root/cluster-node.jar" "$@"
}

is_current()
{
    local jar="$root/$1" newer
    [[ -f "$jar" ]] || return 1
    [[ -f "$root/pom.xml" ]] || return 0
    local -a sources=("$root/pom.xml" "$root/schemas" "$root/codec" "$root/platform" "$root/attribution" "$root/media"
        "$root/cluster-node" "$root/cluster-control" "$root/reporting" "$root/load-client" "$root/failover" "$root/commands"
        "$root/config/jvm/client.options" "$root/config/host" "$root/examples/order-book")
    [[ "$1" != peers.jar ]] || sources+=("$root/peers")
    newer="$(find "${sources[@]}" \
        -type d \( -name target -o -name test \) -prune -o \
        -type f \( -name '*.java' -o -name '*.xml' -o -name '*.properties' -o -name '*.options' \
        -o -name '*.txt' \) -newer "$jar" -print -quit)"
    [[ -z "$newer" ]]
}

# Of Maven's output a line for each module, and errors with the lines that belong to them.
show_progress()
{
    local line is_error=false
    while IFS= read -r line
    do
        if [[ "$line" =~ ^\[INFO\]\ Building\ ([^\ :]+).*\ (\[[0-9]+/[0-9]+\])$ ]]
        then
            echo "${BASH_REMATCH[2]} ${BASH_REMATCH[1]} ..."
        fi
        case "$line" in
            "[ERROR]"*) is_error=true ;;
            "["[A-Z]*"]"*) is_error=false ;;
        esac
        [[ "$is_error" == false ]] || echo "$line"
    done
}

build_if_needed()
{
    local jar modules="cluster-control,commands,examples/order-book"
    [[ " $* " != *" peers.jar "* ]] || modules+=",peers"
    for jar in "$@"
    do
        if [[ ! -f "$root/$jar" && ! -f "$root/pom.xml" ]]
        then
            echo "$root/$jar is missing: unpack the distribution again, or run this from a checkout" >&2
            exit 2
        fi
        if ! is_current "$jar"
        then
            echo "building $jar, which is missing or older than its sources ..." >&2
            # Jansi, with which Maven colours, writes escape sequences to a pipe too.
            (set -o pipefail; cd "$root" && MAVEN_OPTS="${MAVEN_OPTS:-} -Djansi.noreset=true" \
                mvn -B -DskipTests package -pl "$modules" -am | show_progress) >&2
            # Maven does not rebuild a jar if only a comment in a pom changed.
            touch "$root/cluster-node.jar" "$root/load-client.jar"
            [[ "$modules" != *peers ]] || touch "$root/peers.jar"
            return
        fi
    done
}
