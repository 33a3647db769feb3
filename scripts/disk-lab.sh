#!/usr/bin/env bash
# Give each member a disk of its own that can fail: an ext4 file system in an image file, mounted on the member's folder.
#
#   scripts/disk-lab.sh up
#
# up [DIR [SIZE [N]]]   make and mount the disks of N members (default: 3) of SIZE (default: 4G) for the cluster in DIR (default:
#                       cluster-data); images are sparse files, DIR/disk-0.img and so on
# down [DIR]            unmount and delete them with all data; stop the cluster first
#
# A test that cuts the power of all members at once:
#
#   scripts/failover-test.sh --fault power-loss --allow-disk-faults --victim all --set echo.fsync=2
#
# Other faults of these disks are disk-stall and disk-full. Needs root, loop devices and mkfs.ext4. Use it only on a machine that
# may be lost: the fault power-loss shuts file systems down, though only those that this script has mounted.
set -euo pipefail

# shellcheck source=scripts/build-if-needed.sh
source "$(dirname "${BASH_SOURCE[0]}")/build-if-needed.sh"

fail()
{
    echo "disk-lab.sh: $1" >&2
    exit 2
}

disks()
{
    find "$1" -maxdepth 1 -name 'disk-*.img' 2> /dev/null | sort
}

member_dir()
{
    local name
    name="$(basename "$1" .img)"
    echo "$(dirname "$1")/member-${name#disk-}"
}

# A process that has just ended may still be closing its files.
unmount()
{
    local trial
    for ((trial = 0; trial < 25; trial++))
    do
        ! umount --quiet "$1" 2> /dev/null || return 0
        sleep 0.2
    done
    umount "$1"
}

up()
{
    local dir="$1" size="$2" count="$3" image id
    [[ "$count" =~ ^[1-9]$ ]] || fail "N=$count is not allowed: 1 to 9"
    [[ "$size" =~ ^[1-9][0-9]*[MG]$ ]] || fail "SIZE=$size is not allowed: a size as 512M or 4G"
    [[ -z "$(disks "$dir")" ]] || fail "$dir has disks already: remove them with 'down $dir'"
    for ((id = 0; id < count; id++))
    do
        [[ ! -e "$dir/member-$id" ]] || fail "$dir/member-$id exists: stop the cluster and delete its data, or use another folder"
    done
    mkdir -p "$dir"
    for ((id = 0; id < count; id++))
    do
        image="$dir/disk-$id.img"
        truncate --size "$size" "$image"
        mkfs.ext4 -q -F -m 0 "$image"
        mkdir -m 700 "$dir/member-$id"
        mount -o loop,noatime "$image" "$dir/member-$id"
        rmdir "$dir/member-$id/lost+found"
    done
    echo "$count disks of $size are mounted in $dir"
}

down()
{
    local dir="$1" image
    [[ -n "$(disks "$dir")" ]] || fail "$dir has no disks"
    disks "$dir" | while read -r image
    do
        if mountpoint -q "$(member_dir "$image")"
        then
            unmount "$(member_dir "$image")" || fail "a process uses $(member_dir "$image"): stop the cluster first"
        fi
        rmdir "$(member_dir "$image")"
        rm "$image"
    done
    echo "the disks in $dir are deleted"
}

case "${1:-}" in
    up)
        [[ "$EUID" -eq 0 ]] || fail "mounting a disk needs root"
        up "${2:-$root/cluster-data}" "${3:-4G}" "${4:-3}"
        ;;
    down)
        [[ "$EUID" -eq 0 ]] || fail "unmounting a disk needs root"
        down "${2:-$root/cluster-data}"
        ;;
    -h | --help | "")
        print_help "${BASH_SOURCE[0]}"
        ;;
    *)
        fail "$1 is not allowed: up or down"
        ;;
esac
