#!/bin/sh
# Stands for the runtime that an AppImage begins with: unpacks the squashfs behind itself instead of mounting it, and runs AppRun from there.
# pack.ts fills it up to 4096 bytes; it ends by `exit`, so that the shell reads no further.
set -eu
if [ "${1:-}" = --appimage-extract ]; then
  exec unsquashfs -quiet -no-progress -offset 4096 -dest squashfs-root "$0"
fi
APPDIR="$(mktemp -d)/squashfs-root"
trap 'rm -rf "${APPDIR%/*}"' EXIT
unsquashfs -quiet -no-progress -offset 4096 -dest "$APPDIR" "$0" >/dev/null
APPIMAGE="$(readlink -f "$0")" ARGV0="$0" APPDIR="$APPDIR" "$APPDIR/AppRun" "$@"
exit
