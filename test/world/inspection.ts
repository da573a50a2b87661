// The search for secrets in the simulated world: the real one, on the memory disk's bytes and without a
// thread. Like the real port, it checks that the file is still the one that the engine has open.

import { DiskError, type Inspection } from '../../src-main/engine/ports.ts'
import { bytesSource, secretByContent, secretLine } from '../../src-main/engine/rules/secrets.ts'
import type { MemDisk } from './mem-disk.ts'

export function createWorldInspection(disk: Pick<MemDisk, 'peek'>): Inspection {
  return {
    inspect: async (path, expected, key) => {
      const found = disk.peek(path)
      if (typeof found === 'string') throw new DiskError({ code: found, message: found })
      const { entry, data } = found
      if (entry.ino !== expected.ino || entry.size !== expected.size || entry.mtime !== expected.mtime)
        return 'changed'
      return secretByContent(data, entry.name, key)
    },
    secretLine: async (path, _expected, key) => {
      const found = disk.peek(path)
      return typeof found === 'string' ? null : secretLine(bytesSource(found.data), found.entry.name, key)
    },
  }
}
