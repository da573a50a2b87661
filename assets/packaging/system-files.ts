// What Linux packages install outside of the app's folder: the command line on PATH, its manual pages and
// completions, a systemd unit, the entry of software centres, the licence. One tree for each kind of package,
// because distributions keep completions in different places.
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { commandLine } from '../../src-main/cli/arguments.ts'
import { completionScript, tableOf } from '../../src-main/cli/completion.ts'
import { manPages } from './man-pages.ts'
import { PRODUCT } from './manifests.ts'

/** As in electron-builder.yml: where fpm's packages put the app. */
const APP = 'opt/Slipway'
const PROGRAM = `${APP}/resources/app.asar.unpacked/cli/slipway`

const ZSH = {
  deb: 'usr/share/zsh/vendor-completions',
  rpm: 'usr/share/zsh/site-functions',
  pacman: 'usr/share/zsh/site-functions',
} as const
const KINDS = ['deb', 'rpm', 'pacman'] as const

interface SystemFile {
  readonly path: string
  readonly content: string | Buffer
}

function systemFiles(root: string, kind: keyof typeof ZSH): SystemFile[] {
  const table = tableOf(commandLine().program)
  const asset = (name: string): string => readFileSync(join(root, 'assets/linux', name), 'utf8')
  return [
    ...manPages().map(({ file, text }) => ({
      path: `usr/share/man/man1/${file}.gz`,
      content: gzipSync(text, { level: 9 }),
    })),
    {
      path: 'usr/share/bash-completion/completions/slipway',
      content: `${completionScript('bash', table)}\n`,
    },
    { path: `${ZSH[kind]}/_slipway`, content: `${completionScript('zsh', table)}\n` },
    {
      path: 'usr/share/fish/vendor_completions.d/slipway.fish',
      content: `${completionScript('fish', table)}\n`,
    },
    // Tells the app who updates it (src-main/shell/updates/source.ts).
    { path: `${APP}/resources/package-type`, content: `${kind}\n` },
    { path: 'usr/lib/systemd/user/slipway-watch@.service', content: asset('slipway-watch@.service') },
    {
      path: `usr/share/metainfo/${PRODUCT.component}.metainfo.xml`,
      content: asset(`${PRODUCT.component}.metainfo.xml`),
    },
    ...(kind === 'deb'
      ? [
          {
            path: 'usr/share/doc/slipway/copyright',
            content: copyright(readFileSync(join(root, 'LICENSE'), 'utf8')),
          },
        ]
      : [{ path: 'usr/share/licenses/slipway/LICENSE', content: readFileSync(join(root, 'LICENSE')) }]),
  ]
}

function copyright(licence: string): string {
  return `${licence.trim()}\n\nThe licences of the packages inside are in /${APP}: resources/app.asar.unpacked/dist/licences.txt,\nresources/app.asar.unpacked/cli/LICENSE.node.txt, LICENSE.electron.txt and LICENSES.chromium.html.\n`
}

/** Writes the trees to `to`/deb, `to`/rpm and `to`/pacman. `root`: the repository. */
export function writeSystemFiles(root: string, to: string): void {
  for (const kind of KINDS) {
    const tree = join(to, kind)
    rmSync(tree, { recursive: true, force: true })
    for (const { path, content } of systemFiles(root, kind)) {
      mkdirSync(dirname(join(tree, path)), { recursive: true })
      writeFileSync(join(tree, path), content, { mode: 0o644 })
    }
    // Relative, so that it also holds below another root.
    mkdirSync(join(tree, 'usr/bin'), { recursive: true })
    symlinkSync(relative('usr/bin', PROGRAM), join(tree, 'usr/bin/slipway'))
  }
}
