#!/usr/bin/env bash
# Builds aeronmd, the media driver in C, of exactly the version of Aeron that the jars hold, for --driver c. Its sources come
# with a published crate, which cargo fetches by name and version and this script holds against a pinned checksum; nothing of
# it is part of this repository. All of it stays in .c-driver of the checkout, about 100 MB; delete that to begin anew.
#
#   scripts/build-c-driver.sh
#
# Needs cargo, a C compiler (CC, else cc), make, the header of libuuid, and on older systems libbsd's. Needs CMake 3.30 too; where
# there is none (CMAKE, else cmake), a pinned one is put into a Python environment in .c-driver, which takes python3 with venv.
# Says so and does nothing where it was built before. Takes two minutes on two cores.
# Exit status: 0 .c-driver/aeronmd is there, 2 something that it needs is missing, 1 the build failed (see .c-driver/build.log).
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/build-if-needed.sh"

if [[ "${1:-}" == "--help" || "${1:-}" == "-h" ]]
then
    print_help "${BASH_SOURCE[0]}"
    exit 0
fi
if (($# > 0))
then
    echo "build-c-driver.sh: $1 is not an option; see --help" >&2
    exit 2
fi

crate=libaeron_driver-sys
# Of the crate that carries the C sources of this version; another version has another checksum.
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

# The jars' version stands in the pom alone.
version="$(sed -n 's|.*<aeron.version>\(.*\)</aeron.version>.*|\1|p' "$root/pom.xml" 2> /dev/null || true)"
[[ -n "$version" ]] || missing "$root/pom.xml does not say which version of Aeron to build: run this from a checkout"
[[ "$version" == "$pinned_version" ]] ||
    missing "the jars hold Aeron $version, but the checksum here is that of $crate $pinned_version: renew both in this script"

is_built()
{
    [[ -x "$folder/aeronmd" ]] && "$folder/aeronmd" -v 2> /dev/null | grep -q "version=$version "
}

if is_built
then
    echo "$folder/aeronmd is there: $("$folder/aeronmd" -v)"
    exit 0
fi

compiler="${CC:-cc}"
command -v cargo > /dev/null || missing "cargo is missing, which fetches the sources: install Rust's cargo"
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
        echo "no CMake 3.$least_cmake_minor or later: putting cmake $cmake_version into $folder/tools ..." >&2
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
# A home of its own, since the archive is looked for by name below; what configures cargo for this user is taken along.
users_cargo="${CARGO_HOME:-${HOME:-}/.cargo}"
export CARGO_HOME="$folder/cargo"
mkdir -p "$CARGO_HOME"
for file in "$users_cargo/config.toml" "$users_cargo/config"
do
    [[ ! -f "$file" ]] || cp "$file" "$CARGO_HOME/"
done
cargo fetch --manifest-path "$folder/fetch/Cargo.toml" >> "$log" 2>&1 || failed "cargo could not fetch $crate $version"

archive="$(find "$CARGO_HOME/registry/cache" -name "$crate-$version.crate" -print -quit)"
[[ -n "$archive" ]] || failed "cargo fetched $crate, but kept no archive of it"
found_sha256="$(sha256sum "$archive" | cut -d ' ' -f 1)"
if [[ "$found_sha256" != "$pinned_sha256" ]]
then
    echo "checksum of $archive: expected=$pinned_sha256, actual=$found_sha256" >> "$log"
    failed "the sources are not those pinned"
fi
tar -xzf "$archive" -C "$unpacked" --strip-components 1

echo "building aeronmd $version with $("$cmake" --version | head -n 1), $compiler ..." >&2
export CC="$compiler"
# Else the commit of this checkout would be taken for that of Aeron.
export GIT_CEILING_DIRECTORIES="$root"
"$cmake" -S "$unpacked/aeron" -B "$folder/build" -DCMAKE_BUILD_TYPE=Release -DBUILD_AERON_DRIVER=ON \
    -DBUILD_AERON_ARCHIVE_API=OFF -DAERON_TESTS=OFF -DAERON_UNIT_TESTS=OFF -DAERON_SYSTEM_TESTS=OFF \
    -DAERON_BUILD_SAMPLES=OFF -DAERON_BUILD_DOCUMENTATION=OFF -DAERON_INSTALL_TARGETS=OFF >> "$log" 2>&1 ||
    failed "CMake could not prepare the build"
"$cmake" --build "$folder/build" --target aeronmd_s --parallel "$(nproc 2> /dev/null || echo 2)" >> "$log" 2>&1 ||
    failed "the build failed"
cp "$folder/build/binaries/aeronmd_s" "$folder/aeronmd"
is_built || failed "what was built does not say that it is version $version: $("$folder/aeronmd" -v 2>&1 || true)"
rm -rf "$folder/fetch" "$folder/cargo" "$unpacked" "$folder/build"
echo "$folder/aeronmd is there: $("$folder/aeronmd" -v)"
