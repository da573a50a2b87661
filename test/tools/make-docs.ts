// `npm run docs`: writes the generated parts of the pages in docs/. A test compares them with the code.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generatedPages } from './generated-docs.ts'
import { ROOT, readTree } from './tree.ts'

for (const [file, text] of generatedPages(readTree)) {
  const isCurrent = readTree(file) === text
  if (!isCurrent) writeFileSync(join(ROOT, file), text)
  console.log(`${file}: ${isCurrent ? 'up to date' : 'written'}`)
}
