// Composes what decides which upload runs next, and what holds uploads back.
import type { BudgetRoom } from '../budget/compose.ts'
import type { WatchedFolders } from '../find/watched-folders.ts'
import type { Journal } from '../journal/journal.ts'
import type { EnginePolicy, Ports } from '../ports.ts'
import type { PresenceRoom } from '../presence/compose.ts'
import type { RemoteRoom } from '../remote/compose.ts'
import type { SendRoom } from '../send/propagator.ts'
import type { Bus } from '../tell/bus.ts'
import { type Concurrency, Scheduler } from './scheduler.ts'
import { UploadGate } from './upload-gate.ts'
import { KnownFirst, SchedulerLog, UploadQueue } from './upload-queue.ts'

export interface QueueRoom {
  readonly scheduler: Scheduler
  readonly queue: UploadQueue
  readonly gate: UploadGate
  readonly known: KnownFirst
}

interface QueueRoomOptions extends Journal, BudgetRoom, RemoteRoom, PresenceRoom, SendRoom {
  readonly ports: Ports
  readonly policy: () => EnginePolicy
  readonly folders: WatchedFolders
  readonly bus: Bus
  readonly concurrency: Concurrency | undefined
  readonly stop: AbortSignal
}

export function createQueueRoom(rooms: QueueRoomOptions): QueueRoom {
  const { clock, log } = rooms.ports
  const debug = new SchedulerLog(log)
  const gate = new UploadGate({ ...rooms, clock })
  const known = new KnownFirst(rooms)
  const queue = new UploadQueue({ ...rooms, debug })
  return { gate, known, queue, scheduler: new Scheduler({ ...rooms, clock, log, debug, queue, gate, known }) }
}
