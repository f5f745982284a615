# Sourced by scripts that need an X display of their own.

# start_private_display: starts an Xvfb on a free display number, and exports DISPLAY and a private XDG_RUNTIME_DIR, so
# that a bridge started here does not find one of the user.
start_private_display() {
    private_folder=$(mktemp -d "${TMPDIR:-/tmp}/xpb.XXXXXX")
    # Without -noreset an Xvfb forgets atoms and selections when its last client disconnects.
    coproc private_xvfb { exec Xvfb -displayfd 1 -noreset -nolisten tcp -screen 0 640x480x24 2>"$private_folder/Xvfb.log"; }
    local number
    if ! read -r number <&"${private_xvfb[0]}"; then
        cat "$private_folder/Xvfb.log" >&2
        printf 'no private display: Xvfb did not start\n' >&2
        return 1
    fi
    export DISPLAY=":$number"
    export XDG_RUNTIME_DIR=$private_folder/runtime
    unset XAUTHORITY
    mkdir -m 0700 "$XDG_RUNTIME_DIR"
}

# stop_private_display: ends the Xvfb of start_private_display, if there is one, and removes its folder.
stop_private_display() {
    if [[ -n ${private_xvfb_PID:-} ]]; then
        kill "$private_xvfb_PID" 2>/dev/null || true
        wait "$private_xvfb_PID" 2>/dev/null || true
    fi
    if [[ -n ${private_folder:-} ]]; then
        rm -rf -- "$private_folder"
    fi
}
