// Syncthing as a peer in the row about idling: watches a folder, knows no other device, and talks to nobody.
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { freePort } from '../tools/free-port.ts'
import { isInstalled, pause, type Running, running } from './measure.ts'

const SCAN_MS = 300_000
const FOLDER = 'bench'
const Status = z.object({ state: z.string(), localFiles: z.number() })

/** Options that would open connections, or a browser. */
const OFF = [
  'globalAnnounceEnabled',
  'localAnnounceEnabled',
  'relaysEnabled',
  'natEnabled',
  'startBrowser',
  'restartOnWakeup',
  'crashReportingEnabled',
] as const
const SET: Readonly<Record<string, string>> = {
  urAccepted: '-1',
  autoUpgradeIntervalH: '0',
  listenAddress: 'tcp://127.0.0.1:0',
  stunServer: '',
}

/** Starts Syncthing and resolves once its first scan has found `files` files. Null if it isn't installed. */
export async function startSyncthing(options: {
  readonly home: string
  readonly folder: string
  readonly files: number
}): Promise<Running | null> {
  const { home, folder, files } = options
  if (!isInstalled('syncthing')) return null
  execFileSync('syncthing', ['generate', '--home', home, '--no-default-folder'], { stdio: 'ignore' })
  const port = await freePort()
  const file = join(home, 'config.xml')
  let config = readFileSync(file, 'utf8').replace('127.0.0.1:8384', `127.0.0.1:${port}`)
  for (const [name, value] of [...OFF.map((one) => [one, 'false'] as const), ...Object.entries(SET)])
    config = config.replace(new RegExp(`(<${name}>)[^<]*`), `$1${value}`)
  const [device = ''] = /<device id="[^"]+"/.exec(config) ?? []
  const shared = `<folder id="${FOLDER}" path="${folder}" type="sendonly" rescanIntervalS="3600" fsWatcherEnabled="true">${device}></device></folder>`
  writeFileSync(file, config.replace('<device ', `${shared}\n    <device `))
  const [, key = ''] = /<apikey>([^<]+)/.exec(config) ?? []

  // Started as if by its monitor, which would otherwise be the process that is measured.
  const env = { PATH: process.env['PATH'], HOME: home, STMONITORED: 'yes' }
  const child = running(
    spawn('syncthing', ['serve', '--home', home, '--no-browser', '--no-restart', '--no-upgrade'], {
      stdio: 'ignore',
      env,
    }),
  )
  try {
    for (const end = Date.now() + SCAN_MS; ; await pause(250)) {
      if (child.ended()) throw new Error('syncthing ended')
      if (Date.now() > end) throw new Error('syncthing does not end its first scan')
      const answer = await fetch(`http://127.0.0.1:${port}/rest/db/status?folder=${FOLDER}`, {
        headers: { 'X-API-Key': key },
      }).catch(() => null)
      if (answer?.ok !== true) continue
      const { state, localFiles } = Status.parse(await answer.json())
      if (state === 'idle' && localFiles >= files) return child
    }
  } catch (error) {
    await child.stop()
    throw error
  }
}
