#!/bin/sh
# What the .rpm runs after its files are gone: takes back what its first script has linked and copied. rpm also runs it for the old version, once the
# new one is in place. The link and the profile belong to the new version then, and electron-builder's own script would remove them.
# It is told how many versions stay.
[ "$1" = 0 ] || exit 0

app=/opt/Slipway/slipway-desktop
link=/usr/bin/slipway-desktop
profile=/etc/apparmor.d/slipway-desktop

if command -v update-alternatives >/dev/null 2>&1; then
  update-alternatives --remove slipway-desktop "$app"
fi
# Where there was no update-alternatives at the time, the link is a plain one.
if [ "$(readlink "$link")" = "$app" ]; then
  rm -f "$link"
fi

if [ -f "$profile" ]; then
  if command -v apparmor_parser >/dev/null 2>&1; then
    apparmor_parser --remove "$profile" 2>/dev/null
  fi
  rm -f "$profile"
fi
exit 0
