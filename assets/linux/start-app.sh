#!/bin/sh
# Starts the app. Chromium starts its first processes before any JavaScript could remove SLIPWAY_API_KEY from the environment they inherit,
# so the key is passed through a descriptor instead (src-main/shell/app/passed-key.ts). The process stays the same: exec.
key=${SLIPWAY_API_KEY-}
# Before any other program is started.
unset SLIPWAY_API_KEY
program=$(readlink -f -- "$0").bin
if [ -z "$key" ]; then
  exec "$program" "$@"
fi
export SLIPWAY_API_KEY_FD=9
# No command is given the key as an argument, which others could list.
exec "$program" "$@" 9<<END
$key
END
