// The three formats that the stand-in for fpm writes. What fpm 1.17 decides is decided alike here, also where
// it is a trap: a .rpm owns only the folders it is told to own, scripts are taken as they are, nothing runs
// after an upgrade of pacman's unless asked for, and pacman's package contains the time of the build.
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface FpmOptions {
  readonly depends?: string[]
  readonly directories?: string[]
  readonly architecture?: string
  readonly 'after-install'?: string
  readonly 'after-remove'?: string
  readonly description?: string
  readonly version?: string
  readonly name?: string
  readonly maintainer?: string
  readonly vendor?: string
  readonly url?: string
  readonly license?: string
  readonly 'deb-priority'?: string
  readonly 'deb-recommends'?: string[]
  readonly 'deb-compression'?: string
  readonly 'rpm-os'?: string
  readonly 'rpm-summary'?: string
  readonly 'rpm-compression'?: string
  readonly 'rpm-rpmbuild-define'?: string[]
  readonly 'pacman-compression'?: string
}

interface Package {
  readonly options: FpmOptions
  /** What the package installs. */
  readonly root: string
  /** An empty folder beside it. */
  readonly work: string
  /** The file to write. */
  readonly to: string
}

type Fields = readonly (readonly [string, string | undefined])[]

function lines(fields: Fields, between: string): string {
  return fields
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}${between}${value}\n`]))
    .join('')
}

function kilobytes(folder: string): string {
  return execFileSync('du', ['-sk', '--apparent-size', folder], { encoding: 'utf8' }).split('\t')[0] ?? ''
}

/** The text of a script, or nothing. */
function script(file: string | undefined): string | undefined {
  return file === undefined ? undefined : readFileSync(file, 'utf8')
}

/** Debian and fpm call processors alike; the others use the kernel's names. */
function machine(processor: string | undefined): string {
  return { amd64: 'x86_64', arm64: 'aarch64' }[processor ?? ''] ?? processor ?? ''
}

function writeDeb({ options, root, to }: Package): void {
  const control = join(root, 'DEBIAN')
  mkdirSync(control)
  for (const [name, file] of [
    ['postinst', options['after-install']],
    ['postrm', options['after-remove']],
  ] as const) {
    if (file === undefined) continue
    cpSync(file, join(control, name))
    chmodSync(join(control, name), 0o755)
  }
  const fields: Fields = [
    ['Package', options.name],
    ['Version', options.version],
    ['License', options.license],
    ['Vendor', options.vendor],
    ['Architecture', options.architecture],
    ['Maintainer', options.maintainer],
    ['Installed-Size', kilobytes(root)],
    ['Depends', options.depends?.join(', ')],
    ['Recommends', options['deb-recommends']?.join(', ')],
    ['Section', 'default'],
    ['Priority', options['deb-priority']],
    ['Homepage', options.url],
    ['Description', options.description?.trim().split('\n').join('\n ')],
  ]
  writeFileSync(join(control, 'control'), lines(fields, ': '))
  const compression = options['deb-compression'] === 'gz' ? ['-Zgzip', '-z1'] : ['-Zxz']
  execFileSync('dpkg-deb', ['--root-owner-group', ...compression, '--build', root, to], { stdio: 'inherit' })
}

function writeRpm({ options, root, work, to }: Package): void {
  if (options['rpm-compression'] !== 'xzmt')
    throw new Error(`The compression ${options['rpm-compression']} isn't known to fpm.`)
  const entries = readdirSync(root, { recursive: true, withFileTypes: true })
  const path = (one: (typeof entries)[number]): string => join(one.parentPath, one.name).slice(root.length)
  const owned = options.directories ?? []
  const folders = entries
    .filter((one) => one.isDirectory() && owned.some((top) => `${path(one)}/`.startsWith(`${top}/`)))
    .map((one) => `%dir "${path(one)}"`)
  const files = entries.filter((one) => !one.isDirectory()).map((one) => `"${path(one)}"`)
  const fields: Fields = [
    ['Name', options.name],
    ['Version', options.version],
    ['Release', '1'],
    ['Summary', options['rpm-summary']],
    // Nothing is required but what is named.
    ['AutoReqProv', 'no'],
    ['Group', 'default'],
    ['License', options.license],
    ['Vendor', options.vendor],
    ['URL', options.url],
    ['Packager', options.maintainer],
    ...(options.depends ?? []).map((one) => ['Requires', one] as const),
  ]
  const scripts: Fields = [
    ['%post', script(options['after-install'])],
    ['%postun', script(options['after-remove'])],
  ]
  const spec = [
    // Neither strips nor compresses what it is given, as rpmbuild would.
    ...['prep', 'build', 'install', 'clean'].map(
      (step) => `%define __spec_${step}_post true\n%define __spec_${step}_pre true\n`,
    ),
    // xz, which is asked for, takes a minute.
    '%define _binary_payload w1.gzdio\n',
    lines(fields, ': '),
    `%description\n${options.description ?? ''}\n`,
    lines(scripts, '\n'),
    '%files\n%defattr(-,root,root,-)\n',
    [...folders, ...files].toSorted().join('\n'),
    '\n',
  ].join('')
  writeFileSync(join(work, 'slipway.spec'), spec)
  const defines = [
    `_topdir ${work}`,
    `_rpmdir ${join(work, 'rpms')}`,
    '_rpmfilename one.rpm',
    ...(options['rpm-rpmbuild-define'] ?? []),
  ]
  const target = `${machine(options.architecture)}-unknown-${options['rpm-os']}`
  const define = defines.flatMap((one) => ['--define', one])
  execFileSync(
    'rpmbuild',
    ['-bb', '--quiet', '--target', target, '--buildroot', root, ...define, join(work, 'slipway.spec')],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  cpSync(join(work, 'rpms/one.rpm'), to)
}

function writePacman({ options, root, to }: Package): void {
  if (options['pacman-compression'] !== 'gz')
    throw new Error(`Tests make pacman's packages with gz, not ${options['pacman-compression']}.`)
  const fields: Fields = [
    ['pkgname', options.name],
    ['pkgver', `${options.version}-1`],
    ['pkgdesc', options.description],
    ['url', options.url],
    ['builddate', String(Math.floor(Date.now() / 1000))],
    ['packager', options.maintainer],
    ['size', String(Number(kilobytes(root)) * 1024)],
    ['arch', machine(options.architecture)],
    ['license', options.license],
    ['group', 'default'],
    ...(options.depends ?? []).map((one) => ['depend', one] as const),
  ]
  const scripts: Fields = [
    ['post_install', script(options['after-install'])],
    ['post_remove', script(options['after-remove'])],
  ]
  const install = scripts
    .flatMap(([name, text]) => (text === undefined ? [] : [`${name}() {\n    :\n${text}\n}\n`]))
    .join('')
  writeFileSync(join(root, '.PKGINFO'), lines(fields, ' = '))
  writeFileSync(join(root, '.INSTALL'), install)
  const bsdtar = (...args: readonly string[]): void => {
    execFileSync('bsdtar', [...args, ...readdirSync(root)], {
      cwd: root,
      env: { ...process.env, LANG: 'C' },
      stdio: 'inherit',
    })
  }
  bsdtar(
    '-czf',
    '.MTREE',
    '--format=mtree',
    '--options=!all,use-set,type,uid,gid,mode,time,size,md5,sha256,link',
  )
  bsdtar('-czf', to, '--options=gzip:compression-level=1', '--uid=0', '--gid=0', '--numeric-owner')
}

export const FORMATS: Readonly<Record<string, (one: Package) => void>> = {
  deb: writeDeb,
  rpm: writeRpm,
  pacman: writePacman,
}
