#!/bin/bash
# Runs one line of the tables of the drop-in names, and stores its results in a new folder:
#
#   dropin_row.sh FOLDER BEFORE LINE [SELECTION:TARGET]...
#
# BEFORE and LINE are commands of the shell. BEFORE prepares the selections with the functions below and with Debian's
# programs; PATH decides which programs LINE calls. LINE has at most seven seconds, and /dev/null as its input. After it,
# an independent X client reads each target: its bytes are in read0, read1 and so on, and its status in read0.status.
#
# If WAYLAND_DISPLAY is set, Debian's wl-copy and wl-paste prepare and read the selections of that compositor.
set -u

fixtures=$(dirname "$(realpath "$0")")
folder=$1 before=$2 line=$3
shift 3
mkdir "$folder" "$folder/work"
cd "$folder/work" || exit
mkdir folder
printf 'first file\n' >one
printf 'second file\n' >two
printf 'a line\r\n' >crlf
printf 'h\351\n' >latin
printf 'žluťoučký ☃\n' >utf8
printf 'a\0b' >nul
printf '\211PNG\r\n\032\n\0pixels' >image.png
printf '<b>bold</b>' >page.html
printf '{\\rtf1 rich}' >rich.rtf
printf '%%!PS-Adobe-3.0 EPSF-3.0\nshowpage\n' >figure.eps
printf 'spaced\n' >'with space'
: >empty

# text SELECTION TEXT: an owner that offers plain text and refuses all else.
text() {
    printf '%s' "$2" | /usr/bin/xsel --input "--$1" 2>/dev/null
    # xsel owns the selection some time after it has returned.
    for _ in {1..100}; do
        /usr/bin/xsel --output "--$1" | cmp -s - <(printf '%s' "$2") && return
        sleep 0.02
    done
}

# offer SELECTION TARGET FILE...: an owner that offers the files under these names and refuses all else.
offer() {
    local selection=${1^^} options=()
    shift
    while (($# > 0)); do
        options+=(--offer "$1" "$folder/work/$2")
        shift 2
    done
    own "$selection" "${options[@]}"
}

# silent SELECTION: an owner that answers nothing.
silent() {
    own "${1^^}" --silent
}

if [[ -n ${WAYLAND_DISPLAY-} ]]; then
    text() {
        printf '%s' "$2" | /usr/bin/wl-copy ${wayland[$1]} --type text/plain
    }

    offer() {
        /usr/bin/wl-copy ${wayland[$1]} --type "$2" <"$folder/work/$3"
    }
fi

# read_target SELECTION TARGET: what an independent client pastes.
read_target() {
    if [[ -n ${WAYLAND_DISPLAY-} ]]; then
        timeout 4 /usr/bin/wl-paste ${wayland[$1]} --no-newline --type "$2"
    else
        timeout 4 /usr/bin/xclip -o -selection "$1" -t "$2"
    fi
}

# The options of wl-copy and wl-paste for a selection, none for CLIPBOARD.
declare -A wayland=([clipboard]= [primary]=--primary)

own() {
    sleep 20 | "$fixtures/peer.py" own --selection "$@" >"$folder/owner" &
    for _ in {1..100}; do
        [[ -s $folder/owner ]] && return
        sleep 0.05
    done
}

eval "$before" </dev/null >/dev/null 2>&1
if [[ $before == "/usr/bin/xclip -sel "* ]]; then
    # xclip goes to the background before the X server has its claim.
    read -r _ _ selection _ <<<"$before"
    for _ in {1..100}; do
        /usr/bin/xclip -o -sel "$selection" -t TARGETS >/dev/null 2>&1 && break
        sleep 0.05
    done
fi
timeout -k 1 7 bash -c "$line" </dev/null >"$folder/stdout" 2>"$folder/stderr"
echo $? >"$folder/status"
sleep 0.1
number=0
for ask in "$@"; do
    read_target "${ask%%:*}" "${ask#*:}" >"$folder/read$number" 2>/dev/null
    echo $? >"$folder/read$number.status"
    number=$((number + 1))
done
exit 0
