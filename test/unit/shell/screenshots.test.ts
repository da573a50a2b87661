// The location of screenshots on each system, according to its own settings, and that no other files of the
// desktop are uploaded. The system is stubbed.
import { expect, it, vi } from 'vitest'
import { Patterns } from '../../../src-main/engine/rules/patterns.ts'
import { findScreenshots, type ScreenshotSystem } from '../../../src-main/shell/intake/screenshots.ts'

function system(
  changes: Partial<ScreenshotSystem> & { readonly folders: readonly string[] },
): ScreenshotSystem {
  return {
    platform: 'linux',
    home: '/home/ada',
    pictures: '/home/ada/Pictures',
    env: {},
    run: async () => null,
    read: async () => null,
    isFolder: async (path) => changes.folders.includes(path),
    ...changes,
  }
}

const spectacle = (line: string) => async (path: string) =>
  path === '/home/ada/.config/spectaclerc' ? `[ImageSave]\n${line}\n` : null
const setting =
  (values: Readonly<Record<string, string>>) => async (_program: string, args: readonly string[]) =>
    values[args.at(-1) ?? ''] ?? null

it.each<[string, ScreenshotSystem, string | null]>([
  ['GNOME', system({ folders: ['/home/ada/Pictures/Screenshots'] }), '/home/ada/Pictures/Screenshots'],
  [
    'GNOME in German',
    system({ pictures: '/home/ada/Bilder', folders: ['/home/ada/Bilder/Bildschirmfotos'] }),
    '/home/ada/Bilder/Bildschirmfotos',
  ],
  ['no folder yet', system({ folders: [] }), null],
  [
    'KDE with a chosen folder',
    system({
      read: spectacle('imageSaveLocation[$e]=file:///data/my%20shots/'),
      folders: ['/data/my shots', '/home/ada/Pictures/Screenshots'],
    }),
    '/data/my shots',
  ],
  [
    'KDE below the home',
    system({ read: spectacle('imageSaveLocation[$e]=$HOME/Shots'), folders: ['/home/ada/Shots'] }),
    '/home/ada/Shots',
  ],
  [
    'a chosen folder that is gone',
    system({
      read: spectacle('imageSaveLocation=file:///gone/'),
      folders: ['/home/ada/Pictures/Screenshots'],
    }),
    '/home/ada/Pictures/Screenshots',
  ],
  [
    'Windows, moved',
    system({
      platform: 'win32',
      pictures: 'C:\\Users\\Ada\\Pictures',
      env: { UserProfile: 'C:\\Users\\Ada' },
      run: async () =>
        '\r\nHKEY_CURRENT_USER\\...\r\n    {B7BEDE81}    REG_EXPAND_SZ    %USERPROFILE%\\OneDrive\\My Shots\r\n\r\n',
      folders: ['C:\\Users\\Ada\\OneDrive\\My Shots'],
    }),
    'C:\\Users\\Ada\\OneDrive\\My Shots',
  ],
  [
    'Windows',
    system({ platform: 'win32', pictures: 'D:\\Pictures', folders: ['D:\\Pictures\\Screenshots'] }),
    'D:\\Pictures\\Screenshots',
  ],
  [
    'macOS with a chosen folder',
    system({
      platform: 'darwin',
      home: '/Users/ada',
      run: setting({ location: '~/Shots/\n' }),
      folders: ['/Users/ada/Shots'],
    }),
    '/Users/ada/Shots',
  ],
])('%s', async (_name, given, path) => {
  expect(await findScreenshots(given)).toEqual(path === null ? null : { path, ignore: [] })
})

it.each([
  [{ SystemRoot: 'D:\\Windows' }, 'D:\\Windows\\System32\\reg.exe'],
  [{}, 'C:\\Windows\\System32\\reg.exe'],
])(
  'on Windows, only the system’s own reg.exe is run, not one in the current folder: %j',
  async (env, program) => {
    const run = vi.fn(async () => null)
    await findScreenshots(system({ platform: 'win32', env, run, folders: [] }))
    expect(run.mock.calls.map(([name]: readonly unknown[]) => name)).toEqual([program])
  },
)

it.each([
  ['without a setting', {}, 'Screenshot 2026-11-22 at 10.00.00.png'],
  ['in German', {}, 'Bildschirmfoto 2026-11-22 um 10.00.00.png'],
  [
    'with the desktop as the setting',
    { location: '/Users/ada/Desktop\n', name: 'Shot [me]\n' },
    'Shot [me] 2026.png',
  ],
])('macOS %s: nothing of the desktop but screenshots', async (_name, values, shot) => {
  const found = await findScreenshots(
    system({ platform: 'darwin', home: '/Users/ada', run: setting(values), folders: ['/Users/ada/Desktop'] }),
  )
  expect(found?.path).toBe('/Users/ada/Desktop')
  const rules = new Patterns(found?.ignore ?? [], false)
  expect(
    [shot, 'Tax return.pdf', 'Screenshots.zip', 'private/Screenshot 1.png'].map(
      (name) => rules.test(name).ignored,
    ),
  ).toEqual([false, true, true, true])
})
