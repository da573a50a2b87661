// Runs in electron-builder after each package is written. With SOURCE_DATE_EPOCH set, it writes pacman's package again with the same content,
// because fpm, unlike for a .deb and a .rpm, ignores that variable there: the package would contain the time of the build, the order in which
// the file system lists a folder, and how much room the files take on that disk. Without the variable it changes nothing.
import { execFileSync } from 'node:child_process'
import { lstatSync, lutimesSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** How compressed files begin, and the names that bsdtar has for these compressions. */
const COMPRESSIONS = { '1f8b': 'gzip', fd37: 'xz', '28b5': 'zstd' }
/** What fpm notes about each file in .MTREE. */
const NOTED = '!all,use-set,type,uid,gid,mode,time,size,md5,sha256,link,gzip:!timestamp'

/** @param {import('electron-builder').ArtifactCreated} artifact */
export function artifactBuildCompleted({ file, target }) {
  const time = Number(process.env['SOURCE_DATE_EPOCH'])
  if (target?.name !== 'pacman' || !(time > 0)) return
  const work = mkdtempSync(join(dirname(file), 'pacman-'))
  try {
    const root = join(work, 'root')
    mkdirSync(root)
    execFileSync('bsdtar', ['-xpf', file, '-C', root])
    rmSync(join(root, '.MTREE'))
    const paths = readdirSync(root, { recursive: true, withFileTypes: true })
      .map((one) => relative(root, join(one.parentPath, one.name)))
      .toSorted()
    const bytes = paths.reduce((sum, path) => sum + (lstatSync(join(root, path)).isFile() ? lstatSync(join(root, path)).size : 0), 0)
    const info = readFileSync(join(root, '.PKGINFO'), 'utf8')
    writeFileSync(join(root, '.PKGINFO'), info.replace(/^builddate = .*$/m, `builddate = ${time}`).replace(/^size = .*$/m, `size = ${bytes}`))

    const write = (to, names, options) => {
      for (const name of names) lutimesSync(join(root, name), time, time)
      const list = join(work, 'list')
      writeFileSync(list, names.join('\0'))
      const same = ['--no-recursion', '--uid=0', '--gid=0', '--numeric-owner', '--no-xattrs', '--no-acls', '--no-fflags']
      const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' }
      execFileSync('bsdtar', ['-cf', to, ...options, ...same, '--null', '-T', list], { cwd: root, env })
    }
    write(join(root, '.MTREE'), paths, ['--gzip', '--format=mtree', `--options=${NOTED}`])
    const compression = COMPRESSIONS[readFileSync(file).toString('hex', 0, 2)]
    if (compression === undefined) throw new Error(`${file} has an unknown compression.`)
    const unstamped = compression === 'gzip' ? ['--options=gzip:!timestamp'] : []
    const written = join(work, 'package')
    write(written, ['.MTREE', ...paths], [`--${compression}`, '--format=gnutar', ...unstamped])
    renameSync(written, file)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
