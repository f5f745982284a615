#!/bin/bash
# Runs one line of the tables of the drop-in names, and stores its results in a new folder:
#
#   dropin_row.sh FOLDER LIMIT BEFORE LINE [SELECTION:TARGET]...
#
# BEFORE and LINE are commands of the shell. BEFORE prepares the selections with the functions below and with Debian's
# programs; PATH decides which programs LINE calls. LINE has LIMIT seconds, and /dev/null as its input. After it, an
# independent X client reads each target: its bytes are in read0, read1 and so on, and its status in read0.status.
#
# "peer.py rows" reads commands from the FIFO that is named in PEER. It waits for the owners of the selections, because
# xclip and xsel go to the background before the X server has their claims.
#
# If WAYLAND_DISPLAY is set, Debian's wl-copy and wl-paste prepare and read the selections of that compositor. There
# wl-copy returns after the compositor has its claim.
set -u

folder=$1 limit=$2 before=$3 line=$4
shift 4
mkdir "$folder" "$folder/work" "$folder/work/folder"
cd "$folder/work" || exit
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

# The options of wl-copy and wl-paste for a selection, none for CLIPBOARD.
declare -A wayland=([clipboard]= [primary]=--primary)

if [[ -n ${WAYLAND_DISPLAY-} ]]; then
    # owned SELECTION: waits until the selection has an owner. wl-paste calls a command for the current contents, if any,
    # and for new ones. The command reads them, since wl-copy would die of SIGPIPE if nobody did.
    owned() {
        local watch
        exec {watch}< <(exec /usr/bin/wl-paste --watch sh -c 'cat >/dev/null; echo')
        read -r -u "$watch"
        kill $!
        exec {watch}<&-
    }

    # begin: the caller has emptied the selections.
    begin() {
        :
    }

    text() {
        printf '%s' "$2" | /usr/bin/wl-copy ${wayland[$1]} --type text/plain
    }

    offer() {
        /usr/bin/wl-copy ${wayland[$1]} --type "$2" <"$folder/work/$3"
    }

    settle() {
        :
    }

    read_target() {
        /usr/bin/wl-paste ${wayland[$1]} --no-newline --type "$2"
    }
else
    mkfifo "$folder/answer"

    # peer COMMAND...: gives the peer a command, and waits for its answer.
    peer() {
        {
            echo "$folder/answer $*" >"$PEER"
            read -r
        } <>"$folder/answer"
    }

    # owned SELECTION, free SELECTION: waits until the selection has an owner, or no program is about to own it and none
    # does.
    owned() {
        peer owned "${1^^}"
    }

    free() {
        peer free "${1^^}"
    }

    # begin: empties the selections and the cut buffer.
    begin() {
        peer begin
    }

    # text SELECTION TEXT: an owner that offers plain text and refuses all else.
    text() {
        printf '%s' "$2" | /usr/bin/xsel --input "--$1"
        peer claimed "${1^^}"
    }

    # offer SELECTION TARGET FILE...: an owner that offers the files under these names and refuses all else.
    offer() {
        local selection=${1^^} options=()
        shift
        while (($# > 0)); do
            options+=(--offer "$1" "$folder/work/$2")
            shift 2
        done
        peer own "$selection" "${options[@]}"
    }

    # silent SELECTION: an owner that answers nothing.
    silent() {
        peer own "${1^^}" --silent
    }

    # settle: waits for the claims of the programs in the background.
    settle() {
        peer settled
    }

    # read_target SELECTION TARGET: pastes as an independent client.
    read_target() {
        /usr/bin/xclip -o -selection "$1" -t "$2"
    }

    export folder
    export -f peer free
fi
export -f owned

begin
eval "$before" </dev/null >/dev/null 2>&1
settle
timeout -k 1 "$limit" bash -c "$line" </dev/null >"$folder/stdout" 2>"$folder/stderr"
echo $? >"$folder/status"
settle
number=0
for ask in "$@"; do
    read_target "${ask%%:*}" "${ask#*:}" >"$folder/read$number" 2>/dev/null
    echo $? >"$folder/read$number.status"
    number=$((number + 1))
done
exit 0
