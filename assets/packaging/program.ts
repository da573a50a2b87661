// Makes the installed command line: one executable that holds Node and Slipway's code ("single executable
// application"), so that it needs nothing but the keychain module beside it, runs no other script, and takes
// no options for Node from the environment. It is made on the system it is for: the executable starts as a
// copy of the Node that runs this file.
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { inject } from 'postject'
import { withoutSignature } from './signature.ts'

/** The command line as one CommonJS script, in the folder program/ of the build. */
const CODE = 'slipway.cjs'

/**
 * Marks the place in Node's executable that says whether code was added (Node's documentation of single
 * executable applications).
 */
const SENTINEL = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

/**
 * While the code is compiled: with a random seed the result would be another each time. V8 takes it at any
 * other seed, too.
 */
const FIXED = ['--random-seed=1']

/** electron-builder's name of this system (`${os}` in electron-builder.yml). */
const SYSTEMS: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  linux: 'linux',
  darwin: 'mac',
  win32: 'win',
}

/**
 * Node's licence as its own releases hold it. It is kept here because npm's packages of Node for Windows and
 * Apple silicon can lack it; a test compares it with that of the Node that is pinned.
 */
const NODE_LICENCE = resolve(import.meta.dirname, '../licences/node.txt')

export const PROGRAM_NAME = process.platform === 'win32' ? 'slipway.exe' : 'slipway'

/**
 * Where electron-builder.yml looks for the executable of this system and processor, below the folder of the
 * build.
 */
export function programFolder(dist: string): string {
  const system = SYSTEMS[process.platform]
  if (system === undefined) throw new Error(`There are no packages for ${process.platform}.`)
  return join(dist, 'program', `${system}-${process.arch}`)
}

/**
 * `dist`: the folder of the build, with program/slipway.cjs in it. `strip`: whether to leave out Node's
 * symbols, a seventh of the file; needs binutils on Linux. Returns the executable.
 */
export async function makeProgram(
  dist: string,
  { strip = true }: { readonly strip?: boolean } = {},
): Promise<string> {
  const code = resolve(dist, 'program', CODE)
  const folder = programFolder(dist)
  const program = join(folder, PROGRAM_NAME)
  const work = mkdtempSync(join(tmpdir(), 'slipway-program-'))
  try {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    copyFileSync(NODE_LICENCE, join(folder, 'LICENSE.node.txt'))
    copyFileSync(process.execPath, program)
    chmodSync(program, 0o755)
    if (strip && process.platform === 'linux') execFileSync('strip', ['--strip-all', program])
    if (process.platform === 'darwin') execFileSync('codesign', ['--remove-signature', program])
    if (process.platform === 'win32') writeFileSync(program, withoutSignature(readFileSync(program)))
    // Paths are relative, because the blob keeps the one of the code, and two builds in different folders
    // must give the same bytes.
    copyFileSync(code, join(work, CODE))
    writeFileSync(join(work, 'sea.json'), JSON.stringify(seaConfig()))
    execFileSync(process.execPath, [...FIXED, '--experimental-sea-config', 'sea.json'], {
      cwd: work,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    await inject(program, 'NODE_SEA_BLOB', readFileSync(join(work, 'sea.blob')), {
      sentinelFuse: SENTINEL,
      ...(process.platform === 'darwin' ? { machoSegmentName: 'NODE_SEA' } : {}),
    })
    // Apple silicon starts nothing unsigned. A build with a certificate signs again.
    if (process.platform === 'darwin') execFileSync('codesign', ['--sign', '-', program])
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return program
}

function seaConfig(): object {
  return {
    main: CODE,
    output: 'sea.blob',
    disableExperimentalSEAWarning: true,
    useSnapshot: false,
    // Saves a quarter of the start.
    useCodeCache: true,
    // Neither NODE_OPTIONS nor --node-options: whoever can set a variable must not get the key out of a
    // program that may read it.
    execArgvExtension: 'none',
    // SIGUSR1 would open Node's debugger, from the first moment on.
    execArgv: ['--disable-sigusr1'],
  }
}
