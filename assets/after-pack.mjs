// Runs in electron-builder after a package's folder is filled. It promises that no package leaves without the native keychain module of its own
// system and processor: without it Slipway could not keep its key anywhere. It changes nothing in the folder.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** electron-builder's numbers for processors, in their order. */
const PROCESSORS = ['ia32', 'x64', 'armv7l', 'arm64', 'universal']
const ENDINGS = { darwin: '', win32: '-msvc', linux: '-gnu' }

/** @param {import('electron-builder').AfterPackContext} context */
export function afterPack({ appOutDir, arch, electronPlatformName, packager }) {
  const modules = join(packager.getResourcesDir(appOutDir), 'app.asar.unpacked/node_modules')
  const wanted = `@napi-rs/keyring-${electronPlatformName}-${PROCESSORS[arch]}${ENDINGS[electronPlatformName]}`
  const folder = join(modules, wanted)
  if (existsSync(folder) && readdirSync(folder).some((file) => file.endsWith('.node'))) return
  const { version } = JSON.parse(readFileSync(join(modules, 'keytar/package.json'), 'utf8'))
  throw new Error(
    `The keychain module ${wanted} is not in the package, because npm installs only the one for its own machine. ` +
      `Add it with "npm install --no-save --force ${wanted}@${version}" and pack again.`,
  )
}
