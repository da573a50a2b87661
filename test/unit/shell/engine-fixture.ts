// A thread that replaces the engine: it returns the calls it gets, and crashes, hangs or emits events on
// request. Uses plain messages only. link.test.ts starts it as the shell starts the real one.
import { parentPort, Worker, workerData } from 'node:worker_threads'
import type {
  EngineThreadStart,
  FromEngineThread,
  ToEngineThread,
} from '../../../src-main/shell/engine/protocol.ts'

const port = parentPort
if (port === null) throw new Error('This is a thread.')
const say = (message: FromEngineThread): void => port.postMessage(message)
const start = workerData as EngineThreadStart
if (start.dataDir === 'falls at once') throw new Error('It fell at once.')

/**
 * A named pipe without a writer: opening it blocks a nested thread in native code, so neither thread can be
 * terminated.
 */
const [, pipe] = /^stuck (.*)$/.exec(start.dataDir) ?? []
const inner =
  pipe === undefined
    ? null
    : new Worker(`require('node:fs').openSync(${JSON.stringify(pipe)}, 'r')`, { eval: true })
inner?.unref()
let asking = 0

port.on('message', (message: ToEngineThread) => {
  if (message.type === 'reply') {
    say({ type: 'answer', id: asking, result: { ok: true, value: [message.id, message.value] } })
    return
  }
  if (message.type === 'close') {
    if (start.dataDir !== 'never closes') say({ type: 'closed' })
    return
  }
  const asked = message.type === 'op' ? `op:${message.op}` : message.procedure
  if (asked === 'audit') process.exit(3)
  if (asked === 'plan') throw new Error('It fell while it worked.')
  if (asked === 'history') return
  if (asked === 'pause') say({ type: 'event', event: { seq: 7, kind: 'gate', gate: null } })
  if (asked === 'resume')
    say({
      type: 'tell',
      title: 'Title',
      hint: null,
      about: { what: 'journal', name: 'journal.db', count: 1 },
    })
  if (asked === 'stats') say({ type: 'failed', failure: { code: 'disk', title: 'Full', hint: null } })
  if (asked === 'op:keep')
    say({
      type: 'held',
      held: { baseUrl: 'https://files.example/api/v1', key: 'sk-given-in-this-run', saved: false },
    })
  if (asked === 'op:signOut') say({ type: 'held', held: null })
  if (asked === 'op:proxyLogin') {
    asking = message.id
    say({ type: 'ask', id: 42, op: 'systemProxy', input: { url: 'https://files.example/' } })
    return
  }
  if (asked === 'op:connection') {
    say({ type: 'answer', id: message.id, result: { ok: true, value: start.held } })
    return
  }
  say({
    type: 'answer',
    id: message.id,
    result: { ok: true, value: { asked, input: message.input, dataDir: start.dataDir } },
  })
})
const { dataDir } = start
say({
  type: 'up',
  owner: true,
  account: { id: dataDir, dir: `/${dataDir}`, log: `/${dataDir}/log`, pasted: `/${dataDir}/pasted` },
})
