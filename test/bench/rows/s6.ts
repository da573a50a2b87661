// S6: restarts on an unchanged folder whose files have all been uploaded. Measures when the lists answer,
// when the folder has been rescanned, and how many requests that takes. There is no peer, because scripts
// have no state to restart from.

import { pause } from '../measure.ts'
import { atMost, type RowResult } from '../results.ts'
import type { Room } from '../room.ts'
import { median } from '../statistics.ts'
import { plain, seconds } from '../table.ts'

/** After the rescan, requests are counted for this much longer. */
const AFTER_MS = 1000

interface Restart {
  readonly listS: number
  readonly rescanS: number
  readonly requests: number
  readonly counts: Readonly<Record<string, number>>
}

async function restart(room: Room): Promise<Restart> {
  const known = await room.known()
  await known.service.clearRequests()
  const since = Date.now()
  const began = performance.now()
  const process = known.start()
  try {
    const look = await known.look(process)
    await look.ask('transfers', {
      folderId: null,
      states: [],
      afterId: 0,
      beforeId: Number.MAX_SAFE_INTEGER,
      limit: 100,
    })
    await look.ask('catalog', {
      search: '',
      sort: 'date',
      descending: true,
      offset: 0,
      limit: 100,
      fresh: 'cache',
    })
    const listS = (performance.now() - began) / 1000
    await look.scanned(since)
    const rescanS = (performance.now() - began) / 1000
    await look.close()
    await pause(AFTER_MS)
    const counts = await known.service.requestCounts()
    return { listS, rescanS, requests: Object.values(counts).reduce((sum, count) => sum + count, 0), counts }
  } finally {
    await process.stop()
  }
}

export async function restarts(room: Room): Promise<RowResult> {
  const known = await room.known()
  const runs: Restart[] = []
  for (let i = 0; i < room.runs; i++) runs.push(await restart(room))
  const list = median(runs.map((run) => run.listS))
  const rescan = median(runs.map((run) => run.rescanS))
  const requests = Math.max(...runs.map((run) => run.requests))
  return {
    row: 'S6',
    work: `restart with ${plain(known.files)} known files, nothing changed`,
    slipway: [
      `lists answer after ${seconds(list)}, rescan done after ${seconds(rescan)}, ${plain(requests)} requests`,
    ],
    peers: [],
    goals: [
      atMost('list visible 0.5 s', list, 0.5, seconds),
      atMost('rescan done 2 s', rescan, 2, seconds),
      atMost('1 request', requests, 1, plain),
    ],
    notes: ['from the start of the process'],
    failure: null,
    raw: { uploadedS: known.uploadedS, runs },
  }
}
