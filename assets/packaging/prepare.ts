// `npm run pack:prepare`: makes from the build what packages hold beside the app, in dist/program and
// dist/system, and dist/updates.json, which says where updates come from. Run `npm run build` first;
// electron-builder comes afterwards.
import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { makeProgram } from './program.ts'
import { writeSystemFiles } from './system-files.ts'
import { writeUpdateSource } from './update-source.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const dist = join(ROOT, 'dist')

if (!existsSync(join(dist, 'program/slipway.cjs')))
  throw new Error('There is no build yet. Run npm run build first.')
const program = await makeProgram(dist)
console.log(`${program}: ${(statSync(program).size / 1e6).toFixed(1)} MB`)
writeUpdateSource(dist, process.env)
if (process.platform === 'linux') writeSystemFiles(ROOT, join(dist, 'system'))
