// Sets up a folder whose files have all been uploaded, and the journal that records them. S6 restarts on it
// and S7 watches it. Also queries the running Slipway over its control socket, as the command line does.
import { z } from 'zod'
import { dataPaths } from '../../src-main/platform/data/paths.ts'
import { findEndpoint } from '../../src-main/platform/host/control-key.ts'
import { type ControlClient, connectControl } from '../../src-main/platform/host/control-socket.ts'
import { CONTRACT_VERSION, type Input, type ProcedureName } from '../../src-shared/engine-contract.ts'
import {
  CLI,
  measure,
  NODE,
  pause,
  type Running,
  type ServiceProcess,
  startCli,
  startService,
} from './measure.ts'
import { plantTree } from './plant.ts'

const PER_FOLDER = 100
const PATIENCE_MS = 300_000

export interface Known {
  readonly service: ServiceProcess
  readonly folder: string
  readonly files: number
  /** The environment of every Slipway on this folder. */
  readonly env: Readonly<Record<string, string>>
  /** Duration of the whole upload in seconds. */
  readonly uploadedS: number
  /** Starts `slipway watch` on the folder. */
  start(): Running
  /** Waits until the process answers. Rejects if it ends. */
  look(process: Running): Promise<Look>
}

export interface Look {
  ask<K extends ProcedureName>(procedure: K, input: Input<K>): Promise<unknown>
  /**
   * Resolves once a scan of the folder has finished after this time (epoch milliseconds). Rejects after
   * PATIENCE_MS.
   */
  scanned(since: number): Promise<void>
  close(): Promise<void>
}

const Answer = z.object({ ok: z.literal(true), value: z.unknown() })
const Catalog = z.object({ asOf: z.number().nullable(), reading: z.unknown().optional() })
const Folders = z.object({
  folders: z.array(z.object({ lastScanAt: z.number().nullable(), state: z.string() })),
})

function lookOf(client: ControlClient): Look {
  const ask: Look['ask'] = async (procedure, input) => Answer.parse(await client.call(procedure, input)).value
  return {
    ask,
    scanned: async (since) => {
      for (const end = Date.now() + PATIENCE_MS; ; ) {
        const [folder] = Folders.parse(await ask('snapshot', {})).folders
        if (folder !== undefined && folder.state !== 'scanning' && (folder.lastScanAt ?? 0) >= since) return
        if (Date.now() > end) throw new Error('the scan does not end')
        await pause(10)
      }
    },
    close: () => client.close(),
  }
}

/**
 * Uploads all files of a new folder and lets the engine read the remote list once. Stopping the service is
 * left to the caller.
 */
export async function openKnown(options: {
  readonly folder: string
  readonly files: number
  readonly newcomer: (service: ServiceProcess) => Readonly<Record<string, string>>
}): Promise<Known> {
  const { folder } = options
  const folders = Math.max(1, Math.round(options.files / PER_FOLDER))
  plantTree(folder, folders, PER_FOLDER)
  const service = await startService()
  const env = options.newcomer(service)
  const paths = dataPaths(env['SLIPWAY_DATA_DIR'] ?? '', {})
  try {
    const { wallS } = await measure(
      'the first upload',
      [NODE, CLI, 'watch', folder, '--once', '--quiet'],
      env,
    )
    const known: Known = {
      service,
      folder,
      env,
      files: folders * PER_FOLDER,
      uploadedS: wallS,
      start: () => startCli(['watch', folder, '--quiet'], env),
      look: async (process) => {
        for (const end = Date.now() + PATIENCE_MS; ; ) {
          const endpoint = findEndpoint(paths)
          const client =
            endpoint === null
              ? null
              : await connectControl({ endpoint, version: CONTRACT_VERSION, timeoutMs: 5000 })
          if (client !== null) return lookOf(client)
          if (process.ended()) throw new Error('slipway watch ended')
          if (Date.now() > end) throw new Error('slipway watch does not answer')
          await pause(5)
        }
      },
    }
    // The remote list should be known as well. The first request makes the engine read it, which must not be
    // part of the restart.
    const process = known.start()
    try {
      const look = await known.look(process)
      const all = { search: '', sort: 'date', descending: true, offset: 0, limit: 1 } as const
      for (const end = Date.now() + PATIENCE_MS; ; await pause(100)) {
        // The engine answers with the first page and continues reading.
        const { asOf, reading } = Catalog.parse(await look.ask('catalog', { ...all, fresh: 'need' }))
        if (asOf !== null && reading === undefined) break
        if (Date.now() > end) throw new Error('the list is not read to its end')
      }
      await look.close()
    } finally {
      await process.stop()
    }
    return known
  } catch (error) {
    await service.stop()
    throw error
  }
}
