// A transfer for tests, with plain values for all fields that the test doesn't set.
// Has no state.
import type { Counts, Transfer } from '../../../../src-shared/model.ts'

export function transfer(fields: Partial<Transfer> & { readonly id: number }): Transfer {
  return {
    path: `/home/ada/Share/${fields.id}.txt`,
    name: `${fields.id}.txt`,
    folderId: 1,
    source: 'watch',
    size: 1000,
    state: 'queued',
    reason: null,
    message: null,
    until: null,
    sent: 0,
    attempts: 0,
    sha256: null,
    fileId: null,
    publicLink: null,
    filename: null,
    adopted: false,
    createdAt: 0,
    doneAt: null,
    ...fields,
  }
}

export function counts(fields: Partial<Counts>): Counts {
  return {
    settling: 0,
    queued: 0,
    uploading: 0,
    waiting: 0,
    held: 0,
    unknown: 0,
    failed: 0,
    cancelled: 0,
    gone: 0,
    done: 0,
    ...fields,
  }
}
