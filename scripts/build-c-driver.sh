#!/usr/bin/env bash
# Build Aeron's media driver in C: aeronmd for --driver c, and the same driver as a library for --driver embedded.
#
#   scripts/build-c-driver.sh
#
# The version is that of Aeron in the jars. The sources come from a published crate, which cargo downloads and this script
# checks against a pinned checksum. All files go to .c-driver in the checkout, about 100 MB; delete it to build again.
# Builds only what is missing or, of our own library, older than its source. Takes two minutes on two cores.
#
# Needs cargo, a C compiler (CC, default: cc), make, the header of libuuid, on older systems that of libbsd, CMake 3.30 or
# later (CMAKE, default: cmake), and the headers of a JDK (JAVA_HOME, default: that of the javac on the PATH). Without such a
# CMake it installs a pinned one with pip into a virtual environment in .c-driver, which needs python3 with venv.
# Exit status: 0 .c-driver/aeronmd and the libraries exist, 1 the build failed (see .c-driver/build.log), 2 a required tool is
# missing.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/build-if-needed.sh"

if [[ "${1:-}" == "--help" || "${1:-}" == "-h" ]]
then
    print_help "${BASH_SOURCE[0]}"
    exit 0
fi
if (($# > 0))
then
    echo "build-c-driver.sh: unknown option $1, see --help" >&2
    exit 2
fi

crate=libaeron_driver-sys
# The crate that contains the C sources. The checksum is that of the pinned version.
pinned_version=1.51.0
pinned_sha256=7bd6174fdeca0263cd02975d624a13e4fe99582dff5dee684f651bb3189056aa
cmake_version=3.31.6
least_cmake_minor=30

folder="$root/.c-driver"
log="$folder/build.log"

missing()
{
    echo "build-c-driver.sh: $1" >&2
    exit 2
}

failed()
{
    echo "build-c-driver.sh: $1; see $log" >&2
    tail -n 15 "$log" >&2
    exit 1
}

# The version of Aeron is only in the pom.
version="$(sed -n 's|.*<aeron.version>\(.*\)</aeron.version>.*|\1|p' "$root/pom.xml" 2> /dev/null || true)"
[[ -n "$version" ]] || missing "$root/pom.xml does not contain the version of Aeron: run this from a checkout"
[[ "$version" == "$pinned_version" ]] ||
    missing "the jars use Aeron $version, but this script pins $crate $pinned_version: update pinned_version and pinned_sha256"

# Our part of the driver: its sockets, and Java's calls of it.
source_file="$root/media/src/main/c/embedded-driver.c"
library="$folder/libembedded-driver.so"
headers="$folder/include"

is_built()
{
    [[ -x "$folder/aeronmd" && -f "$folder/libaeron_driver.so" && -f "$headers/definitions" ]] &&
        "$folder/aeronmd" -v 2> /dev/null | grep -q "version=$version "
}

is_library_built()
{
    [[ -f "$library" && ! "$source_file" -nt "$library" && ! "$folder/aeronmd" -nt "$library" ]]
}

compiler="${CC:-cc}"

find_jdk()
{
    local home="${JAVA_HOME:-}" javac
    if [[ -z "$home" ]]
    then
        javac="$(command -v javac)" || missing "javac is missing: install a JDK 17 or later, or name one in JAVA_HOME"
        home="$(dirname "$(dirname "$(readlink -f "$javac")")")"
    fi
    jdk_include="$home/include"
    [[ -f "$jdk_include/jni.h" ]] || missing "$jdk_include/jni.h is missing: name a JDK with headers in JAVA_HOME"
}

# With the headers and definitions of the driver's build, on which the layout of its structures depends.
build_library()
{
    local -a definitions
    read -r -a definitions < "$headers/definitions"
    "$compiler" -std=c11 -O3 -Wall -Wextra -Wno-unused-parameter -fPIC -shared "${definitions[@]}" \
        -I "$headers/driver" -I "$headers/client" -I "$jdk_include" -I "$jdk_include/linux" -o "$library.new" "$source_file" \
        -L "$folder" -laeron_driver -laeron -Wl,-rpath,"\$ORIGIN" >> "$log" 2>&1 || failed "the build of $library failed"
    # Replaced at once: a member may have loaded the present one.
    mv "$library.new" "$library"
}

print_built()
{
    echo "$folder/aeronmd: $("$folder/aeronmd" -v)"
    echo "$library"
    echo "use them with --driver embedded or --driver c, for members and clients; see docs/DRIVERS.md"
}

if is_built
then
    if ! is_library_built
    then
        command -v "$compiler" > /dev/null || missing "the C compiler $compiler is missing: install one (Debian: build-essential)"
        find_jdk
        build_library
    fi
    print_built
    exit 0
fi

command -v cargo > /dev/null || missing "cargo is missing, which downloads the sources: install Rust's cargo"
command -v make > /dev/null || missing "make is missing: install it (Debian: build-essential)"
command -v "$compiler" > /dev/null || missing "the C compiler $compiler is missing: install one (Debian: build-essential)"

has_header()
{
    printf '#include <%s>\n' "$1" | "$compiler" -E - > /dev/null 2>&1
}

has_arc4random()
{
    printf '#include <stdlib.h>\nint main(void) { return (int)arc4random(); }\n' |
        "$compiler" -D_GNU_SOURCE -Werror -x c -o /dev/null - > /dev/null 2>&1
}

has_header uuid/uuid.h || missing "the header uuid/uuid.h is missing (Debian: uuid-dev)"
has_arc4random || has_header bsd/stdlib.h ||
    missing "the C library has no arc4random, and the header bsd/stdlib.h is missing (Debian: libbsd-dev)"
find_jdk

mkdir -p "$folder"
: > "$log"

is_new_enough()
{
    local found major minor
    found="$("$1" --version 2> /dev/null | sed -n 's/^cmake version \([0-9]*\.[0-9]*\).*/\1/p')"
    major="${found%%.*}"
    minor="${found##*.}"
    [[ -n "$found" ]] && ((major > 3 || (major == 3 && minor >= least_cmake_minor)))
}

cmake="${CMAKE:-cmake}"
if ! is_new_enough "$cmake"
then
    cmake="$folder/tools/bin/cmake"
    if ! is_new_enough "$cmake"
    then
        echo "no CMake 3.$least_cmake_minor or later: installing cmake $cmake_version into $folder/tools ..." >&2
        { python3 -m venv "$folder/tools" && "$folder/tools/bin/pip" install --quiet "cmake==$cmake_version"; } >> "$log" 2>&1 ||
            missing "CMake 3.$least_cmake_minor or later is missing, and python3 could not install one (see $log): install it \
and name it in CMAKE"
    fi
fi

echo "fetching $crate $version ..." >&2
unpacked="$folder/sources"
rm -rf "$unpacked" "$folder/fetch" "$folder/build"
mkdir -p "$folder/fetch" "$unpacked"
cat > "$folder/fetch/Cargo.toml" << MANIFEST
[package]
name = "fetch"
version = "0.0.0"
edition = "2021"
[lib]
path = "none.rs"
[dependencies]
$crate = "=$version"
[workspace]
MANIFEST
: > "$folder/fetch/none.rs"
# A separate home, because the archive is found by its name below. The user's configuration of cargo is copied.
users_cargo="${CARGO_HOME:-${HOME:-}/.cargo}"
export CARGO_HOME="$folder/cargo"
mkdir -p "$CARGO_HOME"
for file in "$users_cargo/config.toml" "$users_cargo/config"
do
    [[ ! -f "$file" ]] || cp "$file" "$CARGO_HOME/"
done
cargo fetch --manifest-path "$folder/fetch/Cargo.toml" >> "$log" 2>&1 || failed "cargo could not fetch $crate $version"

archive="$(find "$CARGO_HOME/registry/cache" -name "$crate-$version.crate" -print -quit)"
[[ -n "$archive" ]] || failed "the archive of $crate is not in the registry cache of cargo"
found_sha256="$(sha256sum "$archive" | cut -d ' ' -f 1)"
if [[ "$found_sha256" != "$pinned_sha256" ]]
then
    echo "checksum of $archive: expected=$pinned_sha256, actual=$found_sha256" >> "$log"
    failed "the checksum of the sources differs from the pinned one"
fi
tar -xzf "$archive" -C "$unpacked" --strip-components 1

echo "building aeronmd and its libraries $version with $("$cmake" --version | head -n 1), $compiler ..." >&2
export CC="$compiler"
# Otherwise the build would report this checkout's commit as Aeron's.
export GIT_CEILING_DIRECTORIES="$root"
"$cmake" -S "$unpacked/aeron" -B "$folder/build" -DCMAKE_BUILD_TYPE=Release -DBUILD_AERON_DRIVER=ON \
    -DBUILD_AERON_ARCHIVE_API=OFF -DAERON_TESTS=OFF -DAERON_UNIT_TESTS=OFF -DAERON_SYSTEM_TESTS=OFF \
    -DAERON_BUILD_SAMPLES=OFF -DAERON_BUILD_DOCUMENTATION=OFF -DAERON_INSTALL_TARGETS=OFF \
    -DCMAKE_BUILD_WITH_INSTALL_RPATH=ON "-DCMAKE_INSTALL_RPATH=\$ORIGIN" >> "$log" 2>&1 ||
    failed "CMake could not prepare the build"
# With shared libraries: a statically linked aeronmd loads no libraries, so also not ours.
"$cmake" --build "$folder/build" --target aeronmd --parallel "$(nproc 2> /dev/null || echo 2)" >> "$log" 2>&1 ||
    failed "the build failed"
cp "$folder/build/binaries/aeronmd" "$folder/build/lib/libaeron_driver.so" "$folder/build/lib/libaeron.so" "$folder/"
rm -rf "$headers"
mkdir -p "$headers/driver" "$headers/client"
(cd "$unpacked/aeron/aeron-driver/src/main/c" && find . -name '*.h' -exec cp --parents {} "$headers/driver" \;)
(cd "$unpacked/aeron/aeron-client/src/main/c" && find . -name '*.h' -exec cp --parents {} "$headers/client" \;)
# Those without quotes, such as -DHAVE_EPOLL.
sed -n 's/^C_DEFINES = //p' "$folder/build/aeron-driver/src/main/c/CMakeFiles/aeronmd.dir/flags.make" |
    grep -o -e '-D[A-Z0-9_=]*\( \|$\)' | paste -s -d ' ' > "$headers/definitions"
is_built || failed "the built driver does not report version $version: $("$folder/aeronmd" -v 2>&1 || true)"
build_library
rm -rf "$folder/fetch" "$folder/cargo" "$unpacked" "$folder/build"
print_built
