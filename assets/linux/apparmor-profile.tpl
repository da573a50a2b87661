# Lets the app's processes make user namespaces, which Chromium's sandbox needs where a distribution reserves them for known programs.
# As electron-builder's own, but for the program that assets/linux/start-app.sh starts. What stands in braces, electron-builder fills in.
abi <abi/4.0>,
include <tunables/global>

profile "${executable}" "/opt/${sanitizedProductName}/${executable}.bin" flags=(unconfined) {
  userns,

  include if exists <local/${executable}>
}
