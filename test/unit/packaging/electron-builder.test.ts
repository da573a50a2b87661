// electron-builder.yml against electron-builder's own schema, and its important settings: what is disabled,
// and that nothing is sent anywhere. Doesn't pack anything. It calls internal functions of app-builder-lib,
// which is why electron-builder's version is pinned.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT, treeFiles } from '../../tools/tree.ts'

type Config = Record<string, unknown>

const HOOKS = ['afterPack', 'artifactBuildStarted', 'artifactBuildCompleted'] as const

const inBuilder = createRequire(createRequire(import.meta.url).resolve('electron-builder'))
const { getConfig, validateConfiguration } = inBuilder('app-builder-lib/out/util/config/config.js') as {
  getConfig(folder: string, file: string | null, options: Config | null): Promise<Config>
  validateConfiguration(config: Config, log: { readonly isEnabled: boolean; add(): void }): Promise<void>
}
const { default: FpmTarget } = inBuilder('app-builder-lib/out/targets/FpmTarget.js') as {
  default: { readonly prototype: { getDefaultDepends(target: string): string[] } }
}

/** electron-builder modifies what it has read, so each test reads the file again. */
function read(): Promise<Config> {
  return getConfig(ROOT, join(ROOT, 'electron-builder.yml'), null)
}

function validate(config: Config): Promise<void> {
  return validateConfiguration(config, { isEnabled: false, add: () => undefined })
}

describe('electron-builder.yml', () => {
  it('fits the schema', async () => {
    await expect(validate(await read())).resolves.toBeUndefined()
  })

  it.each<[string, Config, RegExp]>([
    ['a wrong type', { asar: 'maybe' }, /configuration\.asar/],
    ['a misspelt key', { npmRebuilt: false }, /npmRebuilt/],
    ['a misspelt key further in', { nsis: { oneClik: true } }, /configuration\.nsis/],
    ['a misspelt fuse', { electronFuses: { runAsNod: false } }, /electronFuses/],
    [
      'a system that does not exist',
      { linux: { target: [{ target: 'deb', arch: 'arm65' }] } },
      /configuration\.linux/,
    ],
  ])('with %s would not fit', async (_name, wrong, named) => {
    await expect(validate({ ...(await read()), ...wrong })).rejects.toThrow(named)
  })

  it('sets every fuse, and each to the safe side, and signs again what that has changed', async () => {
    const { electronFuses } = await read()
    expect(electronFuses).toEqual({
      resetAdHocDarwinSignature: true,
      runAsNode: false,
      enableCookieEncryption: true,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      loadBrowserProcessSpecificV8Snapshot: false,
      grantFileProtocolExtraPrivileges: false,
    })
  })

  it('sends nothing anywhere, claims no file type and no address, compiles nothing', async () => {
    const config = await read()
    expect(config).toMatchObject({ publish: null, npmRebuild: false, asar: true })
    expect(Object.keys(config).filter((key) => key === 'fileAssociations' || key === 'protocols')).toEqual([])
  })

  it('makes every package there is for each system, for the processor of the machine that makes it', async () => {
    const config = await read()
    const targets = Object.fromEntries(
      ['mac', 'win', 'linux'].map((system) => [system, (config[system] as { target: unknown }).target]),
    )
    expect(targets).toEqual({
      mac: ['dmg', 'zip'],
      win: ['nsis', 'portable'],
      linux: ['AppImage', 'deb', 'rpm', 'pacman'],
    })
  })

  it('leaves the name slipway to the command line', async () => {
    const { win, linux, deb, rpm, pacman } = (await read()) as Record<string, Config>
    expect([win?.['executableName'], linux?.['executableName']]).toEqual([
      'slipway-desktop',
      'slipway-desktop',
    ])
    const folders = ([deb, rpm, pacman] as { fpm: string[] }[]).map(({ fpm }) =>
      fpm.filter((word) => !word.startsWith('--')),
    )
    expect(folders).toEqual([['dist/system/deb/=/'], ['dist/system/rpm/=/'], ['dist/system/pacman/=/']])
  })

  it.each([
    ['deb', 'libasound2t64 | libasound2'],
    ['rpm', '(alsa-lib or libasound2)'],
  ])(
    'installs with the .%s what electron-builder names and the sound library, which Electron is linked with',
    async (kind, sound) => {
      const config = (await read()) as Record<string, Config>
      expect(config[kind]?.['depends']).toEqual([...FpmTarget.prototype.getDefaultDepends(kind), sound])
    },
  )

  it('names only files that are there', async () => {
    const config = (await read()) as Record<string, Record<string, string>> &
      Record<(typeof HOOKS)[number], string>
    const { mac, win, linux, nsis, deb, rpm, pacman } = config
    const named = [
      ...HOOKS.map((hook) => config[hook]),
      ...[deb, rpm, pacman].map((one) => one?.['appArmorProfile']),
      mac?.['icon'],
      mac?.['entitlements'],
      mac?.['entitlementsInherit'],
      win?.['icon'],
      `${linux?.['icon']}/512.png`,
      nsis?.['include'],
      'assets/windows/path.ps1',
    ]
    expect(treeFiles()).toEqual(expect.arrayContaining(named.map((file) => file?.replace(/^\.\//, ''))))
  })

  it('opens to a drop on the dock, and wants nothing by default', async () => {
    const { mac } = (await read()) as { mac: { hardenedRuntime: boolean; extendInfo: Config } }
    expect(mac.hardenedRuntime).toBe(true)
    expect(mac.extendInfo).toEqual({
      CFBundleDocumentTypes: [
        {
          CFBundleTypeName: 'File or folder',
          CFBundleTypeRole: 'Viewer',
          LSHandlerRank: 'Alternate',
          LSItemContentTypes: ['public.data', 'public.folder'],
        },
      ],
    })
  })
})
