// The search for secrets in this world: the real one, on the bytes that the memory disk holds, without a thread of its own.
// It asks the same as the real port does: that the file is still the one that the engine has open.

import { secretByContent } from '../../src-main/engine/admission/secrets.ts'
import { DiskError, type Inspection } from '../../src-main/engine/ports.ts'
import type { MemDisk } from './mem-disk.ts'

export function createWorldInspection(disk: Pick<MemDisk, 'peek'>): Inspection {
  return {
    inspect: async (path, expected) => {
      const found = disk.peek(path)
      if (typeof found === 'string') throw new DiskError({ code: found, message: found })
      const { entry, data } = found
      if (entry.ino !== expected.ino || entry.size !== expected.size || entry.mtime !== expected.mtime) return 'changed'
      return secretByContent(data, entry.name)
    },
  }
}
