// Starts an installed app as a user would, and waits until its window is usable. Packages refuse every
// debugger, so the app's own log says when that is, and the system takes the picture.
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const START_MS = 120_000

interface Start {
  readonly program: string
  readonly args?: readonly string[]
  /** `SLIPWAY_DATA_DIR` has to be a folder in which no app has been started yet. */
  readonly env: Readonly<Record<string, string | undefined>> & { readonly SLIPWAY_DATA_DIR: string }
}

/** How each system saves a picture of the screen in a file. */
const PICTURES: Readonly<Partial<Record<NodeJS.Platform, (file: string) => readonly string[]>>> = {
  darwin: (file) => ['screencapture', '-x', file],
  linux: (file) => ['import', '-window', 'root', file],
  win32: (file) => [
    'powershell',
    '-NoProfile',
    '-Command',
    `Add-Type -AssemblyName System.Windows.Forms, System.Drawing
    $size = [System.Windows.Forms.SystemInformation]::PrimaryMonitorSize
    $image = New-Object System.Drawing.Bitmap $size.Width, $size.Height
    [System.Drawing.Graphics]::FromImage($image).CopyFromScreen(0, 0, 0, 0, $size)
    $image.Save('${file.replaceAll("'", "''")}')`,
  ],
}

/** Saves what is on the screen as a PNG file, if the system has what that takes. Returns whether it did. */
export async function takePicture(file: string): Promise<boolean> {
  const [program = '', ...args] = PICTURES[process.platform]?.(file) ?? []
  return promisify(execFile)(program, args).then(
    () => true,
    () => false,
  )
}

/** Resolves to a function that ends the app and waits until it has exited. */
export async function openWindow({ program, args = [], env }: Start): Promise<() => Promise<void>> {
  const until = performance.now() + START_MS
  // The started process may be the app's wrapper, so its whole group is ended.
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'], detached: true })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4000)
  })
  const ended = once(child, 'exit')
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null
  const signal = (name: 'SIGTERM' | 'SIGKILL'): void => {
    if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(child.pid), '/t', '/f'])
    else if (child.pid !== undefined) process.kill(-child.pid, name)
  }
  const close = async (): Promise<void> => {
    if (!isAlive()) return
    signal('SIGTERM')
    const timer = setTimeout(() => signal('SIGKILL'), 20_000)
    await ended
    clearTimeout(timer)
  }
  const log = join(env.SLIPWAY_DATA_DIR, 'window.log')
  while (!existsSync(log) || !readFileSync(log, 'utf8').includes('"page.ready"')) {
    if (!isAlive()) throw new Error(`The program ended before it opened a window.\n${said}`)
    if (performance.now() > until) {
      await close()
      throw new Error(`No window was opened.\n${said}`)
    }
    await sleep(250)
  }
  return close
}
