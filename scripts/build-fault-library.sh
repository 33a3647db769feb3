#!/usr/bin/env bash
# Build the library that makes system calls of members slow, wait or fail, for failover tests.
#
#   scripts/build-fault-library.sh [FILE]
#
# FILE: the library to write (default: .fault-library/fault-library.so beside the jars); its path has neither blanks nor
# colons. Members load it if echo.fault.library names it. Takes a second.
#
# Needs a C compiler (CC, default: cc) and 64-bit Linux.
# Exit status: 0 the library was built, 1 the build failed, 2 the compiler is missing, or FILE cannot be used.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/build-if-needed.sh"

if [[ "${1:-}" == "--help" || "${1:-}" == "-h" ]]
then
    print_help "${BASH_SOURCE[0]}"
    exit 0
fi

refuse()
{
    echo "build-fault-library.sh: $1" >&2
    exit 2
}

(($# <= 1)) || refuse "too many arguments, see --help"
[[ "${1:-}" != -* ]] || refuse "unknown option $1, see --help"
file="$(realpath -m "${1:-$root/.fault-library/fault-library.so}")"
compiler="${CC:-cc}"
[[ "$file" != *[[:space:]:]* ]] || refuse "$file has a blank or a colon in its path, with which no library can be preloaded"
command -v "$compiler" > /dev/null || refuse "the C compiler $compiler is missing: install one (Debian: gcc, libc6-dev)"
mkdir -p "$(dirname "$file")"

# Replaced at once: a member may have loaded the present one.
trap 'rm -f "$file.new"' EXIT
"$compiler" -std=c11 -O2 -Wall -Wextra -fPIC -shared -o "$file.new" "$root/cluster-control/src/main/c/fault-library.c" -ldl || exit 1
mv "$file.new" "$file"
echo "$file"
