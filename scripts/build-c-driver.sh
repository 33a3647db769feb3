#!/usr/bin/env bash
# Build aeronmd, Aeron's media driver in C, for --driver c.
#
#   scripts/build-c-driver.sh
#
# The version is that of Aeron in the jars. The sources come from a published crate, which cargo downloads and this script
# checks against a pinned checksum. All files go to .c-driver in the checkout, about 100 MB; delete it to build again.
# Does nothing if the driver is already built. Takes two minutes on two cores.
#
# Needs cargo, a C compiler (CC, default: cc), make, the header of libuuid, on older systems that of libbsd, and CMake 3.30 or
# later (CMAKE, default: cmake). Without such a CMake it installs a pinned one with pip into a virtual environment in
# .c-driver, which needs python3 with venv.
# Exit status: 0 .c-driver/aeronmd exists, 1 the build failed (see .c-driver/build.log), 2 a required tool is missing.
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

is_built()
{
    [[ -x "$folder/aeronmd" ]] && "$folder/aeronmd" -v 2> /dev/null | grep -q "version=$version "
}

if is_built
then
    echo "$folder/aeronmd: $("$folder/aeronmd" -v)"
    exit 0
fi

compiler="${CC:-cc}"
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

echo "building aeronmd $version with $("$cmake" --version | head -n 1), $compiler ..." >&2
export CC="$compiler"
# Otherwise the build would report this checkout's commit as Aeron's.
export GIT_CEILING_DIRECTORIES="$root"
"$cmake" -S "$unpacked/aeron" -B "$folder/build" -DCMAKE_BUILD_TYPE=Release -DBUILD_AERON_DRIVER=ON \
    -DBUILD_AERON_ARCHIVE_API=OFF -DAERON_TESTS=OFF -DAERON_UNIT_TESTS=OFF -DAERON_SYSTEM_TESTS=OFF \
    -DAERON_BUILD_SAMPLES=OFF -DAERON_BUILD_DOCUMENTATION=OFF -DAERON_INSTALL_TARGETS=OFF >> "$log" 2>&1 ||
    failed "CMake could not prepare the build"
"$cmake" --build "$folder/build" --target aeronmd_s --parallel "$(nproc 2> /dev/null || echo 2)" >> "$log" 2>&1 ||
    failed "the build failed"
cp "$folder/build/binaries/aeronmd_s" "$folder/aeronmd"
is_built || failed "the built driver does not report version $version: $("$folder/aeronmd" -v 2>&1 || true)"
rm -rf "$folder/fetch" "$folder/cargo" "$unpacked" "$folder/build"
echo "$folder/aeronmd: $("$folder/aeronmd" -v)"
