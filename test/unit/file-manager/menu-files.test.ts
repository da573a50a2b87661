// What each file manager starts from its menu, with any file names. The test parses each file as the file
// manager does and passes the result to the app's own argument parser. Nautilus's script and Thunar's command
// run in a real shell.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addArguments,
  explorerCommand,
  hasAction,
  KEYS,
  queryAllArguments,
  removeArguments,
  withAction,
  withoutAction,
} from '../../../src-main/shell/file-manager/file-manager-menu.ts'
import { SCRIPT, workflow } from '../../../src-main/shell/file-manager/finder.ts'
import { dolphinMenu, nautilusScript, nemoAction } from '../../../src-main/shell/file-manager/menu-files.ts'
import { givenFiles } from '../../../src-main/shell/intake/given-files.ts'
import { shell as german } from '../../../src-shared/i18n/de/shell.ts'
import { shell as english } from '../../../src-shared/i18n/en/shell.ts'
import { dolphinStarts, gioUri, keyFile, nemoStarts, readPlist } from './readers.ts'

const FILES = [
  '/home/ada/plain.txt',
  '/home/ada/two words  and more.txt',
  '/home/ada/it\'s "quoted" `id` $(id) $HOME.txt',
  '/home/ada/100% %F %U %f %%.txt',
  '/home/ada/line\nbreak.txt',
  '/home/ada/-rf',
  '/home/ada/--hidden',
  '/home/ada/back\\slash;&|<>()*?[]{}!#~.txt',
  '/home/ada/Größe 日本.txt',
  '/home/ada/a folder',
]
const PROGRAMS: readonly (readonly string[])[] = [
  ['/opt/Slipway/slipway-desktop'],
  ['/home/ada/Ada\'s Apps $1/Slip "way".AppImage'],
  ['/usr/bin/electron', '/src/slip way'],
]

function taken(args: readonly string[], appPath: string | null = null): ReturnType<typeof givenFiles> {
  return givenFiles({ argv: args, cwd: '/', appPath, platform: 'linux' })
}
/** The files that the app recognizes. `program` is the command without the app's arguments. */
function filesOf(args: readonly string[], program: readonly string[]): readonly string[] {
  expect(args.slice(0, program.length)).toEqual(program)
  const { files, copyLink, refused } = taken(args, program[1] ?? null)
  expect({ copyLink, refused }).toEqual({ copyLink: true, refused: null })
  return files
}

describe.runIf(process.platform !== 'win32')('in a real shell', () => {
  let dir = ''
  let program: string[] = []
  let out = ''
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), "slip way's $menu-"))
    out = join(dir, 'arguments')
    program = [join(dir, "it's 100% slipway-desktop")]
    writeFileSync(program[0] ?? '', `#!/bin/sh\nprintf '%s\\0' "$0" "$@" > "$OUT"\n`, { mode: 0o755 })
  })
  afterAll(() => rmSync(dir, { recursive: true, force: true }))

  /** The arguments with which the program was started; null if it wasn't started. */
  function started(
    command: string,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
  ): string[] | null {
    rmSync(out, { force: true })
    execFileSync(command, args, { cwd: dir, env: { PATH: process.env['PATH'] ?? '', OUT: out, ...env } })
    try {
      return readFileSync(out, 'utf8').split('\0').slice(0, -1)
    } catch {
      return null
    }
  }
  const nautilus = (paths: string, uris: string, ...args: string[]): string[] | null => {
    const script = join(dir, 'script')
    writeFileSync(script, nautilusScript(program), { mode: 0o755 })
    return started(script, args, {
      NAUTILUS_SCRIPT_SELECTED_FILE_PATHS: paths,
      NAUTILUS_SCRIPT_SELECTED_URIS: uris,
    })
  }
  const lines = (all: readonly string[]): string => all.map((one) => `${one}\n`).join('')

  it.each([...FILES.map((file) => [file]), FILES])('Nautilus: %j', (...files) => {
    // Nautilus also passes the files as arguments, but only by name.
    const names = files.map((file) => file.replace('/home/ada/', ''))
    expect(filesOf(nautilus(lines(files), lines(files.map(gioUri)), ...names) ?? [], program)).toEqual(files)
  })

  it('Nautilus: files of a mounted share, by the paths of the mount', () => {
    const mount = '/run/user/1000/gvfs/smb-share:server=nas,share=a/b c.txt'
    expect(filesOf(nautilus(lines([mount]), 'smb://nas/a/b%20c.txt\n') ?? [], program)).toEqual([mount])
  })

  it('Nautilus: nothing is selected, or nothing that is a file', () => {
    expect(nautilus('', '')).toBeNull()
    expect(nautilus('', 'trash:///a.txt\n')).toBeNull()
  })

  it.each([...FILES.map((file) => [file]), FILES])('Thunar: %j', (...files) => {
    const [, command = ''] = /<command>(.*)<\/command>/.exec(withAction(null, program, 'x') ?? '') ?? []
    const plain = command.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
    const quoted = files.map((file) => `'${file.replaceAll("'", "'\\''")}'`).join(' ')
    const line = plain.replaceAll(/%(.)/g, (_whole, field: string) =>
      field === 'F' ? quoted : field === '%' ? '%' : '',
    )
    expect(filesOf(started('/bin/sh', ['-c', line], {}) ?? [], program)).toEqual(files)
  })

  it('macOS: the script of the quick action passes on every file as one argument', () => {
    const open = join(dir, 'open')
    writeFileSync(open, `#!/bin/sh\nprintf '%s\\0' "$0" "$@" > "$OUT"\n`, { mode: 0o755 })
    const args =
      started('/bin/sh', ['-c', SCRIPT.replace('/usr/bin/open', './open'), 'sh', ...FILES], {}) ?? []
    expect(args.slice(1, 5)).toEqual(['-n', '-b', 'app.slipway.desktop', '--args'])
    expect(filesOf(['slipway', ...args.slice(5)], ['slipway'])).toEqual(FILES)
  })
})

describe('Nemo and Dolphin', () => {
  it.each(PROGRAMS)('Nemo starts %j with every file', (...program) => {
    const action = nemoAction(program, 'Upload and copy link') ?? ''
    for (const files of [...FILES.map((file) => [file]), FILES])
      expect(filesOf(nemoStarts(action, files), program)).toEqual(files)
    expect(keyFile(action)['Nemo Action']).toMatchObject({
      Name: 'Upload and copy link',
      Selection: 'notnone',
      Extensions: 'any;',
      Quote: 'double',
    })
  })

  it('Nemo is left out where it would replace parts of the program’s own path', () => {
    expect(nemoAction(['/home/ada/100% F/Slipway.AppImage'], 'x')).toBeNull()
  })

  it.each([...PROGRAMS, ['/home/ada/100%F/Slipway.AppImage']])(
    'Dolphin starts %j with every file',
    (...program) => {
      const menu = keyFile(dolphinMenu(program, 'Upload and copy link'))
      const entry = menu['Desktop Entry'] ?? {}
      expect(entry).toMatchObject({
        Type: 'Service',
        MimeType: 'application/octet-stream;inode/directory;',
        Actions: 'uploadAndCopyLink;',
      })
      const action = menu['Desktop Action uploadAndCopyLink'] ?? {}
      expect(action['Name']).toBe('Upload and copy link')
      expect(filesOf(dolphinStarts(action['Exec'] ?? '', FILES), program)).toEqual(FILES)
    },
  )
})

describe('Thunar’s list of actions', () => {
  const OTHER =
    '<action>\n\t<icon>utilities-terminal</icon>\n\t<unique-id>1663-1</unique-id>\n\t<command>xterm &amp;</command>\n</action>'
  const LIST = `<?xml version="1.0" encoding="UTF-8"?>\n<actions>\n${OTHER}\n</actions>\n`

  it('gets one more, once, and loses it again with every other byte as it was', () => {
    const once = withAction(LIST, ['/opt/Slipway/slipway-desktop'], 'Upload & copy') ?? ''
    expect(once).toContain(OTHER)
    expect(once).toContain('<name>Upload &amp; copy</name>')
    expect(hasAction(once)).toBe(true)
    expect(withAction(once, ['/opt/Slipway/slipway-desktop'], 'Upload & copy')).toBe(once)
    const moved = withAction(once, ['/home/ada/S.AppImage'], 'x') ?? ''
    expect(moved.match(/slipway-upload-and-copy-link/g)).toHaveLength(1)
    expect(moved).not.toContain('/opt/Slipway')
    expect(withoutAction(moved)).toBe(LIST)
    expect(withoutAction(LIST)).toBe(LIST)
  })

  it('takes out nothing but Slipway’s, whichever stands before and behind', () => {
    const own = withAction(null, ['/s'], 'x') ?? ''
    const list = own.replace('</actions>', `${OTHER}\n</actions>`).replace('<actions>', `<actions>\n${OTHER}`)
    expect(withoutAction(list).match(/<action>/g)).toHaveLength(2)
    expect(withoutAction(list).split(OTHER)).toHaveLength(3)
  })

  it.each(['<actions/>', '<?xml version="1.0"?><actions></actions>'])('starts an empty one: %s', (list) => {
    expect(withAction(list, ['/s'], 'x')).toMatch(/<actions>\n<action>[\s\S]*<\/action>\n<\/actions>/)
  })

  it.each(['', '<html/>', '<actions>'])('leaves alone what is none: %j', (text) => {
    expect(withAction(text, ['/s'], 'x')).toBeNull()
  })

  it('makes one where there is none, for files of every kind and folders', () => {
    const list = withAction(null, ['/s'], 'x') ?? ''
    expect(list.startsWith('<?xml version="1.0" encoding="UTF-8"?>\n<actions>')).toBe(true)
    for (const kind of [
      'directories',
      'audio-files',
      'image-files',
      'other-files',
      'text-files',
      'video-files',
    ])
      expect(list).toContain(`<${kind}/>`)
  })
})

describe('macOS’ quick action', () => {
  const { 'Contents/Info.plist': info, 'Contents/document.wflow': document } = workflow('A & <B>')

  it('is a service for files in Finder', () => {
    expect(readPlist(info)).toMatchObject({
      NSServices: [
        {
          NSMenuItem: { default: 'A & <B>' },
          NSMessage: 'runWorkflowAsService',
          NSRequiredContext: { NSApplicationIdentifier: 'com.apple.finder' },
          NSSendFileTypes: ['public.item'],
        },
      ],
    })
  })

  it('runs one shell script, with the files as its arguments', () => {
    expect(readPlist(document)).toMatchObject({
      AMDocumentVersion: '2',
      actions: [
        {
          action: {
            BundleIdentifier: 'com.apple.RunShellScript',
            ActionParameters: { COMMAND_STRING: SCRIPT, inputMethod: 1, shell: '/bin/sh' },
          },
        },
      ],
      workflowMetaData: {
        serviceInputTypeIdentifier: 'com.apple.Automator.fileSystemObject',
        workflowTypeIdentifier: 'com.apple.Automator.servicesMenu',
      },
    })
    const id = /^appId: (.*)$/m.exec(readFileSync('electron-builder.yml', 'utf8'))?.[1]
    expect(SCRIPT).toContain(` -b ${id} `)
  })
})

describe('Explorer', () => {
  const PROGRAM = ['C:\\Users\\Ada Lovelace\\slipway-desktop.exe']

  it('starts the program with one file as one argument', () => {
    const command = explorerCommand(PROGRAM)
    expect(command).toBe('"C:\\Users\\Ada Lovelace\\slipway-desktop.exe" --copy-link -- "%1"')
    const args = [...command.replace('%1', 'D:\\100% -x & y\\%1 $(a).txt').matchAll(/"([^"]*)"|(\S+)/g)].map(
      (one) => one[1] ?? one[2] ?? '',
    )
    expect(givenFiles({ argv: args, cwd: 'C:\\', appPath: null, platform: 'win32' })).toEqual({
      files: ['D:\\100% -x & y\\%1 $(a).txt'],
      hidden: false,
      copyLink: true,
      refused: null,
    })
  })

  it('is asked by reg.exe for this user’s files and folders, and every key that is added is removed', () => {
    expect(KEYS).toHaveLength(2)
    const added = addArguments(PROGRAM, 'x')
    for (const [verb, key = ''] of added) {
      expect(verb).toBe('add')
      expect(key).toMatch(
        /^HKCU\\Software\\Classes\\(\*|Directory)\\shell\\Slipway\.UploadAndCopyLink(\\command)?$/,
      )
      expect(
        removeArguments().some(([, removed = '']) => key === removed || key.startsWith(`${removed}\\`)),
      ).toBe(true)
    }
    expect(queryAllArguments().map(([, key]) => key)).toEqual(removeArguments().map(([, key]) => key))
  })

  it('gets the same from the installer, which takes it away again', () => {
    const script = readFileSync('assets/windows/installer.nsh', 'utf8')
    const written = [...script.matchAll(/WriteRegStr HKCU "(.*?)" "(.*?)" ['"](.*)['"]$/gm)].flatMap(
      ([, key = '', name = '', data = '']) =>
        ['*', 'Directory'].map((kind) => [
          `HKCU\\${key.replace('${KIND}', kind)}`,
          name,
          data.replaceAll('$appExe', PROGRAM[0] ?? '').replace('$1', 'x'),
        ]),
    )
    const own = addArguments(PROGRAM, 'x').map((args) => {
      const valueAt = args.indexOf('/d') + 1
      return [args[1], args[2] === '/ve' ? '' : args[3], args[valueAt]]
    })
    const sorted = (all: readonly (readonly (string | undefined)[])[]): string[] =>
      all.map((one) => one.join('|')).toSorted()
    expect(sorted(written)).toEqual(sorted(own))
    for (const [, key = ''] of removeArguments())
      expect(script).toContain(`DeleteRegKey HKCU "${key.replace('HKCU\\', '')}"`)
    for (const kind of ['*', 'Directory']) expect(script).toContain(`!insertmacro addToExplorer "${kind}"`)
    for (const { uploadAndCopyLink } of [english, german])
      expect(script).toContain(`StrCpy $1 "${uploadAndCopyLink}"`)
  })
})
