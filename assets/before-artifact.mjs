// Runs in electron-builder before each package is made. Linux packages start the app through a script, which keeps the API key out of the
// environment of Chromium's processes. It can't take its place earlier: electron-builder sets the fuses in the file that has the app's name.
import { copyFileSync, existsSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'

const LINUX = ['deb', 'rpm', 'pacman', 'AppImage']
/** electron-builder's numbers for processors, in their order. */
const FOLDERS = ['linux-ia32-unpacked', 'linux-unpacked', 'linux-armv7l-unpacked', 'linux-arm64-unpacked']

/** @param {import('electron-builder').ArtifactBuildStarted} artifact */
export function artifactBuildStarted({ targetPresentableName, file, arch }) {
  if (!LINUX.includes(targetPresentableName)) return
  const program = join(dirname(file), FOLDERS[arch], 'slipway-desktop')
  // The first package that is made of a folder has already done it. A folder that was packed before (--prepackaged) is elsewhere.
  if (!existsSync(program) || existsSync(`${program}.bin`)) return
  renameSync(program, `${program}.bin`)
  copyFileSync(join(import.meta.dirname, 'linux/start-app.sh'), program)
}
