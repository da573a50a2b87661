// Folders full of small files, for the rows that look at many of them.
// What is written stands on the disk before anything is measured.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { settleDisk } from './measure.ts'

/** Each file has content of its own. */
export function plantTree(root: string, folders: number, perFolder: number): void {
  for (let d = 0; d < folders; d++) {
    mkdirSync(join(root, `d${d}`), { recursive: true })
    for (let i = 0; i < perFolder; i++) writeFileSync(join(root, `d${d}`, `file-${i}.txt`), `content ${d} ${i}`)
  }
  settleDisk()
}
