// No telemetry: every connection that the command line makes, in all of its processes and threads, leads to the
// service, and it looks up no other name. The app's connections are watched in e2e/updates.spec.ts.
import { join } from 'node:path'
import { expect } from 'vitest'
import { createService } from '../service/service.ts'
import { traceConnections, tracedConnections } from '../tools/connections.ts'
import { itNeeding } from '../tools/needing.ts'
import { createPlace } from './cli-process.ts'

itNeeding('strace', 'the command line connects to nothing but the service', async () => {
  const place = createPlace()
  const service = await createService({ plan: 'pro', key: place.key, storage: 'disk' })
  const { host, port } = new URL(service.url)
  try {
    const file = place.write('a.txt', 'a')
    for (const args of [
      ['upload', file],
      ['watch', place.folder, '--once'],
      ['ls'],
      ['link', file],
      ['stats'],
      ['doctor'],
      ['rm', file, '--yes'],
    ]) {
      const to = join(place.home, `${args[0]}.calls`)
      const { code, err } = await place.run(args, {
        // A name, so that what looks it up would show. The system knows it without asking.
        url: service.url.replace(host, `localhost:${port}`),
        through: traceConnections(to),
      })
      expect([args[0], code, err.includes('a defect')]).toEqual([args[0], 0, false])
      expect([args[0], tracedConnections(to).filter((address) => address !== host)]).toEqual([args[0], []])
      if (args[0] === 'upload') expect(tracedConnections(to)).toEqual([host])
    }
  } finally {
    await service.close()
    place.remove()
  }
})

itNeeding('strace', 'another connection and the lookup of a name would show', async () => {
  const place = createPlace()
  const to = join(place.home, 'calls')
  try {
    const script = `
      new (require('node:worker_threads').Worker)(
        "require('node:net').connect(9, '127.0.0.9').on('error', () => undefined)",
        { eval: true },
      )
      const socket = require('node:dgram').createSocket('udp4')
      socket.send('?', 53, '127.0.0.53', () => socket.close())`
    await place.run(['--version'], {
      url: 'http://127.0.0.1:1',
      through: [...traceConnections(to), process.execPath, '-e', script],
    })
    expect(tracedConnections(to).toSorted()).toEqual(['127.0.0.53:53', '127.0.0.9:9'])
  } finally {
    place.remove()
  }
})
