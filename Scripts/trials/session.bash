#!/usr/bin/env bash
# Runs a command in a session of another Debian: a compositor without a screen, Xwayland, a session bus.
set -euo pipefail

usage() {
    cat <<'EOF'
usage: Scripts/try session make SUITE
       Scripts/try session run [--no-xwayland] SUITE COMPOSITOR COMMAND [ARGUMENT ...]
       Scripts/try session test SUITE [REGEX]

  make           make a root folder with the Debian suite (bookworm, trixie, forky), compositors and clipboard programs,
                 if it is missing or incomplete; needs root, mmdebstrap, the network and three gigabytes
  run            start the compositor (sway, labwc, kwin, mutter) in this root as an ordinary user, and run the command
                 there; needs root. The command sees the project as /project, and the xpb and xpbd of the last
                 Scripts/build come first in its PATH. The session exits with the command, with the same status.
  --no-xwayland  do not start Xwayland
  test           run the tests whose name matches in this root, with the programs of the last debug build (swift build
                 --build-tests); without REGEX, all tests with sway or mutter. Needs root.

The roots are in $XPB_ROOTS (default: ~/.cache/xpb-roots). XPB_BINARIES is a folder with xpb and xpbd to use instead.
EOF
}

misuse() {
    usage >&2
    exit 2
}

fail() {
    printf 'session: %s\n' "$*" >&2
    exit 1
}

project=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
roots=${XPB_ROOTS:-${XDG_CACHE_HOME:-$HOME/.cache}/xpb-roots}
packages=(
    sway labwc kwin-wayland mutter xwayland dbus dbus-daemon libgl1-mesa-dri procps wl-clipboard xclip x11-utils xdotool
    python3-gi python3-xlib gir1.2-gtk-4.0 libx11-6 libxfixes3 libxres1 libsqlite3-0
    # For wayland-programs.
    wtype chromium gir1.2-gtk-3.0 python3-pyqt6 qt6-wayland python3-tk
    # For the tests.
    xvfb
)

make_root() {
    local suite=$1 root=$roots/$1 included
    included=$(IFS=,; printf '%s' "${packages[*]}")
    # Debian 12 has no labwc.
    if [[ $suite == bookworm ]]; then included=${included/labwc,/}; fi
    if has_packages "$root" "$included"; then return; fi
    mkdir -p "$roots"
    exec 9>"$roots/$suite.lock"
    flock 9
    if has_packages "$root" "$included"; then return; fi
    command -v mmdebstrap >/dev/null || fail 'mmdebstrap is missing; apt-get install mmdebstrap'
    rm -rf --one-file-system "$root"
    mmdebstrap --quiet --variant=minbase --aptopt='Acquire::Check-Valid-Until "false"' \
        --aptopt='APT::Install-Recommends "false"' --include="$included" \
        --customize-hook='chroot "$1" useradd --create-home --uid 1000 user' "$suite" "$root"
    printf '%s\n' "$included" >"$root/.complete"
}

has_packages() {
    local root=$1 included=$2
    [[ -e $root/.complete && $(<"$root/.complete") == "$included" ]]
}

# Fails if there is no root of the suite. While this process and its children run, no other process can remake the root.
hold_root() {
    local suite=$1
    [[ -e $roots/$suite/.complete ]] || fail "there is no root of $suite; Scripts/try session make $suite"
    exec 9<"$roots/$suite.lock"
    flock --shared 9
}

# Runs the rest of the arguments as a command in a root, in its own namespaces: no process and no mount outlives the
# command, and the X sockets of other servers take no display numbers. The command runs as an ordinary user. $swift is
# the folder of Swift's libraries, if a program needs them.
enter() {
    local root=$1 binaries=$2
    shift 2
    root=$root binaries=$binaries project=$project swift=${swift-} exec unshare --net --mount \
        --propagation private --pid --fork --kill-child bash -euc '
        mount --bind "$root" "$root"
        mount -t proc proc "$root/proc"
        mount --rbind /dev "$root/dev"
        # Without /sys, gnome-shell 48 delays X11 clients.
        mount --rbind /sys "$root/sys"
        mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
        mount -t tmpfs -o mode=755 tmpfs "$root/run"
        mkdir -m 1777 "$root/tmp/.X11-unix"
        # The tests use the path of the project outside the root.
        mkdir -p "$root/project" "$root$project" "$root/usr/local/bin"
        mount --bind "$project" "$root/project"
        mount --bind "$project" "$root$project"
        mount --bind "$binaries" "$root/usr/local/bin"
        if [[ -n $swift ]]; then
            mkdir -p "$root$swift"
            mount --bind "$swift" "$root$swift"
        fi
        ip link set lo up 2>/dev/null || true
        # After a chroot, programs could not make user namespaces, as Chromium and the tests do.
        cd "$root"
        pivot_root . .
        umount --lazy .
        cd /
        exec setpriv --reuid=1000 --regid=1000 --clear-groups env --ignore-environment \
            PATH=/usr/local/bin:/usr/bin:/bin LC_ALL=C.UTF-8 USER=user "$@"
    ' - "$@"
}

run_in_root() {
    local xwayland=yes
    if [[ ${1-} == --no-xwayland ]]; then
        xwayland=no
        shift
    fi
    (($# >= 3)) || misuse
    local root=$roots/$1 compositor=$2
    hold_root "$1"
    shift 2
    local binaries=${XPB_BINARIES:-$project/.build/dist}
    [[ -x $binaries/xpb ]] || fail "there is no xpb in $binaries; Scripts/build"
    enter "$root" "$binaries" bash /project/Scripts/trials/session-compositor.bash "$compositor" "$xwayland" "$@"
}

test_in_root() {
    (($# == 1 || $# == 2)) || misuse
    hold_root "$1"
    local debug bundle tests='^(WaylandBridgeTests\.SwayTests|IntegrationTests\.Integration/(Wayland|Mutter)\w*Tests)/'
    debug=$(readlink --canonicalize "$project/.build/debug")
    bundle=$debug/xpbPackageTests.xctest
    [[ -x $bundle ]] || fail 'there is no debug build; swift build --build-tests'
    local swift
    swift=$(ldd "$bundle" | awk '$1 == "libswiftCore.so" { print $3 }')
    swift=${swift%/*}
    enter "$roots/$1" "$debug" "$bundle" --testing-library swift-testing --no-parallel --filter "${2-$tests}"
}

case ${1-} in
    make)
        (($# == 2)) || misuse
        make_root "$2"
        ;;
    run) run_in_root "${@:2}" ;;
    test) test_in_root "${@:2}" ;;
    -h | --help) usage ;;
    *) misuse ;;
esac
