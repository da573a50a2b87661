// Runs in electron-builder after a package's folder is filled. It promises that no package leaves without the native keychain module and the
// command line of its own system and processor: without the one Slipway could not keep its key anywhere, the other is half of what is
// installed. It changes nothing in the folder.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** electron-builder's numbers for processors, in their order. */
const PROCESSORS = ['ia32', 'x64', 'armv7l', 'arm64', 'universal']
const ENDINGS = { darwin: '', win32: '-msvc', linux: '-gnu' }

/** @param {import('electron-builder').AfterPackContext} context */
export function afterPack({ appOutDir, arch, electronPlatformName, packager }) {
  const unpacked = join(packager.getResourcesDir(appOutDir), 'app.asar.unpacked')
  const processor = PROCESSORS[arch]
  const wanted = `@napi-rs/keyring-${electronPlatformName}-${processor}${ENDINGS[electronPlatformName]}`
  const folder = join(unpacked, 'node_modules', wanted)
  if (!existsSync(folder) || !readdirSync(folder).some((file) => file.endsWith('.node'))) {
    const { version } = JSON.parse(readFileSync(join(unpacked, 'node_modules/@napi-rs/keyring/package.json'), 'utf8'))
    throw new Error(
      `The keychain module ${wanted} is not in the package, because npm installs only the one for its own machine. ` +
        `Add it with "npm install --no-save --force ${wanted}@${version}" and pack again.`,
    )
  }
  if (!existsSync(join(unpacked, 'cli', electronPlatformName === 'win32' ? 'slipway.exe' : 'slipway')))
    throw new Error(
      `The command line for ${electronPlatformName} on ${processor} is not in the package. It is made on such a machine: npm run pack:prepare`,
    )
}
