#!/usr/bin/env bash
# Starts a compositor and runs a command in its session; called by session.bash in the root of another Debian. The
# command's variable SESSION_COMPOSITOR has the compositor's name and version.
#
# usage: session-compositor.bash COMPOSITOR XWAYLAND COMMAND [ARGUMENT ...]
set -euo pipefail

compositor=$1 xwayland=$2
shift 2
folder=$(mktemp -d)
export HOME=$folder/home XDG_RUNTIME_DIR=$folder/run TMPDIR=$folder
export LIBGL_ALWAYS_SOFTWARE=1 NO_AT_BRIDGE=1 GSETTINGS_BACKEND=memory
mkdir -m 0700 "$HOME" "$XDG_RUNTIME_DIR"
version=$(dpkg-query -W -f '${source:Upstream-Version}' "${compositor/kwin/kwin-wayland}" 2>/dev/null || true)
export SESSION_COMPOSITOR="$compositor $version"

# The first program of the session, which writes the session's variables to a file.
cat >"$folder/first" <<EOF
#!/bin/sh
env | grep -E '^(DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|DBUS_SESSION_BUS_ADDRESS)=' >$folder/variables.new
mv $folder/variables.new $folder/variables
exec sleep infinity
EOF
chmod +x "$folder/first"

wlroots=(env WLR_BACKENDS=headless WLR_RENDERER=pixman WLR_LIBINPUT_NO_DEVICES=1)
case $compositor in
    sway)
        state=disable
        if [[ $xwayland == yes ]]; then state=force; fi
        printf 'xwayland %s\nexec %s\n' "$state" "$folder/first" >"$folder/config"
        start=("${wlroots[@]}" sway --config "$folder/config")
        ;;
    labwc)
        mkdir -p "$HOME/.config/labwc"
        printf '<labwc_config><core><xwaylandPersistence>yes</xwaylandPersistence></core></labwc_config>\n' \
            >"$HOME/.config/labwc/rc.xml"
        start=("${wlroots[@]}" labwc -S "$folder/first")
        ;;
    kwin)
        # The installed file has a capability, which is not granted everywhere. A copy does not have the capability.
        cp /usr/bin/kwin_wayland "$folder/kwin_wayland"
        # Without the checks, every program may press keys.
        start=(
            dbus-run-session env KWIN_COMPOSE=Q KWIN_WAYLAND_NO_PERMISSION_CHECKS=1 "$folder/kwin_wayland" --virtual
            --no-lockscreen --no-global-shortcuts
        )
        if [[ $xwayland == yes ]]; then start+=(--xwayland); fi
        start+=("$folder/first")
        ;;
    mutter)
        start=(dbus-run-session mutter --wayland --headless --virtual-monitor 1280x800)
        if [[ $xwayland == no ]]; then start+=(--no-x11); fi
        start+=(-- "$folder/first")
        ;;
    *)
        printf 'session: unknown compositor %s; the choices are sway, labwc, kwin and mutter\n' "$compositor" >&2
        exit 2
        ;;
esac

"${start[@]}" >"$folder/compositor.log" 2>&1 &
pid=$!
for _ in {1..600}; do
    if [[ -e $folder/variables ]] || ! kill -0 "$pid" 2>/dev/null; then break; fi
    sleep 0.1
done
if [[ ! -e $folder/variables ]]; then
    printf 'session: %s did not start; its log ends with:\n' "$compositor" >&2
    tail -n 5 "$folder/compositor.log" >&2
    exit 1
fi
set -a
# shellcheck disable=SC1091
source "$folder/variables"
set +a
if [[ $xwayland == no ]]; then unset DISPLAY XAUTHORITY; fi
"$@"
