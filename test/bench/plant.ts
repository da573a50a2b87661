// Creates folders full of small files, for rows that work with many files.
// Everything is flushed to the disk before the measurement starts.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { settleDisk } from './measure.ts'

/** Each file has different content. */
export function plantTree(root: string, folders: number, perFolder: number): void {
  for (let d = 0; d < folders; d++) {
    mkdirSync(join(root, `d${d}`), { recursive: true })
    for (let i = 0; i < perFolder; i++)
      writeFileSync(join(root, `d${d}`, `file-${i}.txt`), `content ${d} ${i}`)
  }
  settleDisk()
}
