// What the command line says if it is started with a Node that is too old, and the newer one that it looks
// for isn't new enough either. Each case runs the real file in processes that claim to be other versions of
// Node.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url))
const BOOTSTRAP = join(REPOSITORY, 'src-main', 'cli', 'bootstrap.ts')
/** The Node that the program finds if SLIPWAY_NODE isn't set. */
const INSTALLED = join(
  REPOSITORY,
  'node_modules',
  'node',
  'bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
)

/**
 * `outer`, `inner`: the versions that the first process and the one that it starts claim to be. `named`:
 * SLIPWAY_NODE.
 */
function start({
  outer,
  inner,
  named,
}: {
  readonly outer: string
  readonly inner: string
  readonly named: string | null
}) {
  const dir = mkdtempSync(join(tmpdir(), 'slipway-bootstrap-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const claim = join(dir, 'claim.mjs')
  const version = `process.env.SLIPWAY_INNER === '1' ? '${inner}' : '${outer}'`
  writeFileSync(
    claim,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: ${version} } })`,
  )
  const { SLIPWAY_NODE: _node, ...env } = process.env
  const ended = spawnSync(process.execPath, [BOOTSTRAP], {
    encoding: 'utf8',
    env: {
      ...env,
      NODE_OPTIONS: `--import=${pathToFileURL(claim).href}`,
      ...(named === null ? {} : { SLIPWAY_NODE: named }),
    },
  })
  return { code: ended.status, says: ended.stderr.split('\n').filter((line) => line.startsWith('slipway: ')) }
}

describe('another Node', () => {
  it('that SLIPWAY_NODE names and that is too old is refused: says so, and to name a newer one', () => {
    expect(start({ outer: '20.16.0', inner: '22.1.0', named: INSTALLED })).toEqual({
      code: 1,
      says: [
        `slipway: Node 24 or later is needed; SLIPWAY_NODE names ${INSTALLED}, which is Node 22.1.0. Name a newer one.`,
      ],
    })
  })

  it('that was found beside the program and is too old is refused: says which one, and what to do', () => {
    expect(start({ outer: '20.16.0', inner: '18.0.0', named: null })).toEqual({
      code: 1,
      says: [
        `slipway: Node 24 or later is needed; ${INSTALLED} is Node 18.0.0. Install a newer one, or set SLIPWAY_NODE to its path.`,
      ],
    })
  })

  it.each([null, INSTALLED])('that is new enough runs the program, named by SLIPWAY_NODE: %s', (named) => {
    expect(start({ outer: '20.16.0', inner: '24.0.0', named })).toEqual({ code: 0, says: [] })
  })
})
