#!/bin/bash
# in-root.sh TOP LANE AT COMMAND...: runs COMMAND in the Debian root of the lane, in the folder AT, in its own mount namespace, so that
# nothing stays mounted. All runs share the root's /tmp, which contains the Wine server's socket; two servers would break a prefix.
set -euo pipefail
export TOP=$1 LANE=$2 AT=$3
shift 3
exec unshare --mount --propagation private /bin/bash -c '
  set -e
  root=$LANE/root
  mount --rbind /proc "$root/proc"
  mount --rbind /dev "$root/dev"
  for at in "$TOP" "$LANE"; do
    mkdir -p "$root$at"
    mount --bind "$at" "$root$at"
  done
  # Wine passes the environment on to the program, so it contains only what is needed.
  exec /usr/bin/env -i PATH=/usr/bin:/bin HOME=/root LANG=C.UTF-8 XDG_RUNTIME_DIR=/tmp CI=true \
    WINEPREFIX="$LANE/prefix" WINEARCH=win64 WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml=" \
    /usr/sbin/chroot "$root" /bin/bash -c "cd \"\$0\" && exec \"\$@\"" "$AT" "$@"
' -- "$@"
