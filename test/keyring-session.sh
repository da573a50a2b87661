#!/bin/sh
# usage: keyring-session.sh COMMAND...
# Runs COMMAND in a private D-Bus session with an unlocked, empty keyring, as a desktop would have it. Nothing of the user's own session
# is seen or touched.
set -e
home=$(mktemp -d -t slipway-keyring-XXXXXX)
trap 'rm -rf "$home"' EXIT
export HOME="$home" XDG_RUNTIME_DIR="$home/run" XDG_DATA_HOME="$home/data" XDG_CACHE_HOME="$home/cache" XDG_CONFIG_HOME="$home/config"
mkdir -p -m 700 "$XDG_RUNTIME_DIR" "$XDG_DATA_HOME/keyrings" "$XDG_CACHE_HOME" "$XDG_CONFIG_HOME"
dbus-run-session -- sh -c 'eval "$(printf "a test password" | gnome-keyring-daemon --unlock --components=secrets)"; export GNOME_KEYRING_CONTROL; "$@"' sh "$@"
