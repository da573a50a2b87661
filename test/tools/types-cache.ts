// Where tsc keeps what it checked last. It compares the content of each file and rechecks what has changed
// and what imports that, but not what uses a global type that another file declares anew, nor what depends on
// a library named in tsconfig.json. So a change of these, or of the list of files, starts without what was
// kept.
import { createHash } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './tree.ts'

const FOLDER = 'node_modules/.cache'
const CONFIG = /(?:^|\/)(?:tsconfig[^/]*|package-lock)\.json$/
const SOURCE = /\.[cm]?tsx?$/

/** Whether a source declares something for other files that don't import it. */
export function isGlobal(file: string, source: string): boolean {
  return (
    /\.d\.[cm]?ts$/.test(file) ||
    /\bdeclare (?:global|module)\b/.test(source) ||
    !/^(?:import|export)\b/m.test(source)
  )
}

/** Differs if anything differs that tsc doesn't compare itself. */
export function typesKey(files: readonly string[], read: (file: string) => string): string {
  const hash = createHash('sha256')
  for (const file of files) {
    if (!CONFIG.test(file) && !SOURCE.test(file)) continue
    const source = read(file)
    hash.update(JSON.stringify([file, CONFIG.test(file) || isGlobal(file, source) ? source : null]))
  }
  return hash.digest('hex').slice(0, 16)
}

/** The path for a project, from the root. Removes those of other keys. */
export function typesCache(name: string, key: string): string {
  const file = `${name}-${key}.tsbuildinfo`
  let kept: string[] = []
  try {
    kept = readdirSync(join(ROOT, FOLDER))
  } catch {
    // Nothing is kept yet.
  }
  for (const one of kept)
    if (one.startsWith(`${name}-`) && one.endsWith('.tsbuildinfo') && one !== file)
      rmSync(join(ROOT, FOLDER, one), { force: true })
  return `${FOLDER}/${file}`
}
