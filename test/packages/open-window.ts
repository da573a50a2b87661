// Starts an installed app as a user would, and waits until its window is usable. The main process's debugger
// is disabled in packages (by a fuse), so the window is reached through Chromium's own port.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, chromium, type Page } from '@playwright/test'
import { freePort } from '../tools/free-port.ts'

const START_MS = 120_000

interface Open {
  readonly title: string
  /** Ends the app and waits until it has exited. */
  close(): Promise<void>
}

interface Start {
  readonly program: string
  readonly args?: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** Path of a PNG file. */
  readonly picture: string
}

async function connected(port: number, until: number, isAlive: () => boolean): Promise<Browser> {
  for (;;) {
    try {
      return await chromium.connectOverCDP(`http://127.0.0.1:${port}`)
    } catch (error) {
      if (!isAlive()) throw new Error('The program ended before it opened a window.', { cause: error })
      if (performance.now() > until) throw error
      await sleep(250)
    }
  }
}

async function firstPage(browser: Browser, until: number): Promise<Page> {
  for (;;) {
    const page = browser.contexts().flatMap((context) => context.pages())[0]
    if (page !== undefined) return page
    if (performance.now() > until) throw new Error('No window was opened.')
    await sleep(250)
  }
}

export async function openWindow({ program, args = [], env, picture }: Start): Promise<Open> {
  const port = await freePort()
  const until = performance.now() + START_MS
  const child = spawn(program, [...args, `--remote-debugging-port=${port}`], {
    env: { ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4000)
  })
  const ended = once(child, 'exit')
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null
  const close = async (asked: boolean): Promise<void> => {
    const timers = [
      setTimeout(() => child.kill('SIGTERM'), asked ? 10_000 : 0),
      setTimeout(() => child.kill('SIGKILL'), 20_000),
    ]
    await ended
    for (const timer of timers) clearTimeout(timer)
  }
  try {
    const browser = await connected(port, until, isAlive)
    const page = await firstPage(browser, until)
    await page
      .locator('main')
      .first()
      .waitFor({ timeout: Math.max(1, until - performance.now()) })
    await page.screenshot({ path: picture })
    const title = await page.title()
    return {
      title,
      close: async () => {
        // The started process may be the app's wrapper, so ask the app itself first.
        const session = await browser.newBrowserCDPSession()
        await session.send('Browser.close').catch(() => undefined)
        await browser.close()
        await close(true)
      },
    }
  } catch (error) {
    await close(false)
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${said}`, { cause: error })
  }
}
