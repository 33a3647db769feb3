#!/usr/bin/env bash
# Make a base image of this machine's JDK and of the few programs that the image and the manifests need, where no registry of
# images can be reached. Needs podman and ldd.
#
#   deploy/container/base-image.sh [IMAGE]
#   podman build --build-arg BASE_IMAGE=IMAGE ...
#
# PODMAN is the command of podman with its options.
set -euo pipefail

image="${1:-localhost/cluster-echo-jdk}"
read -r -a podman <<< "${PODMAN:-podman}"
java="$(readlink -f "$(command -v java)")"
home="${java%/bin/java}"

programs=(/bin/sh)
for name in cat chmod chown cp cut find getent grep hostname install ls mkdir rm sleep tar
do
    programs+=("$(command -v "$name")")
done

# The libraries of the programs and of the JVM, the resolver of names, and the folders that a container needs.
libraries()
{
    ldd "${programs[@]}" "$java" "$home"/lib/*.so "$home"/lib/server/libjvm.so 2> /dev/null |
        grep -o '/[^ ]*\.so[^ ]*' | grep -v "^$home" || true
    find /lib /usr/lib -name 'libnss_dns.so*' -o -name 'libnss_files.so*' -o -name 'libresolv.so*'
}

tree="$(mktemp -d)"
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree"/{etc,tmp,proc,sys,dev,usr/bin,usr/sbin,usr/lib}
chmod 1777 "$tree/tmp"
for folder in bin sbin lib lib64
do
    # As on this machine: links into /usr, or folders.
    if [[ -L "/$folder" ]]
    then
        cp -a "/$folder" "$tree/$folder"
        mkdir -p "$tree/$(readlink "/$folder")"
    fi
done
{
    printf '%s\n' "${programs[@]}"
    libraries
} | sort -u | while read -r file
do
    mkdir -p "$tree$(dirname "$file")"
    cp -L "$file" "$tree$file"
done
# The JDK at its own path, with its settings, which some distributions keep below /etc.
mkdir -p "$tree$home"
tar -C "$home" --exclude=./jmods --exclude=./lib/src.zip --exclude=./man --exclude=./docs --dereference -cf - . | tar -C "$tree$home" -xf -
ln -sf "$home/bin/java" "$tree/usr/bin/java"
echo 'root:x:0:0:root:/:/bin/sh' > "$tree/etc/passwd"
echo 'root:x:0:' > "$tree/etc/group"
echo 'hosts: files dns' > "$tree/etc/nsswitch.conf"

tar -C "$tree" -cf - . | "${podman[@]}" import --change 'ENV PATH=/usr/sbin:/usr/bin:/sbin:/bin' - "$image"
