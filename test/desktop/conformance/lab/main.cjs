// The small app that the facts are tried on: windows from a custom scheme, a preload, calls in both directions. CommonJS, which
// every version of Electron loads. What a fact needs from the main process is in `globalThis.lab`, typed in fact.ts.
const { appendFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { Readable } = require('node:stream')
const { app, BrowserWindow, globalShortcut, ipcMain, protocol, session } = require('electron')

const INDEX = 'app://lab/index.html'
const PAGE = `<!doctype html><title>Lab</title><body style="margin: 0"><h1>Lab</h1><button id="greet">Greet</button><output></output>
<input type="file"><textarea>some text</textarea><div id="drop" style="width: 200px; height: 100px">drop</div>
<a id="away" href="http://other.test/">away</a><a id="blank" target="_blank" href="https://other.test/page">blank</a>
<a id="next" href="/next.html">next</a><a id="load" href="/page.js" download="page.js">load</a><button id="open">Open</button>
<script src="page.js"></script>`
const SCRIPT = `
const out = document.querySelector('output')
document.querySelector('#greet').onclick = async () => { out.textContent = await bridge.invoke('greet', 'Ada') }
document.querySelector('#open').onclick = () => { out.textContent = String(open('https://other.test/opened')) }
document.querySelector('input').onchange = (event) => { out.textContent = bridge.pathOf(event.target.files[0]) }
const drop = document.querySelector('#drop')
drop.ondragover = (event) => event.preventDefault()
drop.ondrop = (event) => { event.preventDefault(); out.textContent = [...event.dataTransfer.files].map((file) => bridge.pathOf(file)).join(' ') }
document.title = 'Lab, ready'
`
const POLICY = "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'"

const attempt = (task) => {
  try {
    task()
    return 'nothing was thrown'
  } catch (error) {
    return `${error.name}: ${error.message}`
  }
}

/** The names of the events of `target` from now on, in order. */
const follow = (target, names, seen = []) => {
  for (const name of names) target.on(name, () => seen.push(name))
  return seen
}

/** A window without a page; its page has the lab's bridge. */
const make = (options = {}) =>
  new BrowserWindow({
    width: 700,
    height: 500,
    ...options,
    webPreferences: {
      preload: join(__dirname, 'preload.cjs'),
      sandbox: true,
      contextIsolation: true,
      ...options.webPreferences,
    },
  })

/** A window whose page has loaded. */
const open = async (options, url = INDEX) => {
  const window = make(options)
  await window.loadURL(url)
  return window
}

/** Resolves once `condition` holds, or to false after a time that nothing here takes. */
const until = async (condition) => {
  for (let tries = 0; tries < 500; tries++) {
    if (await condition()) return true
    await new Promise((done) => setTimeout(done, 20))
  }
  return false
}

const started = []
for (const name of ['will-finish-launching', 'ready', 'web-contents-created', 'browser-window-created'])
  app.on(name, () => started.push(name))

const lab = {
  attempt,
  follow,
  make,
  open,
  until,
  started,
  require,
  early: {
    isReady: app.isReady(),
    window: attempt(() => new BrowserWindow()),
    session: attempt(() => session.defaultSession),
    shortcut: attempt(() => globalShortcut.register('Ctrl+K', () => undefined)),
  },
  requests: [],
  frames: [],
  said: [],
  seconds: [],
}
globalThis.lab = lab

ipcMain.handle('greet', (event, name) => {
  const { url, parent, top } = event.senderFrame
  lab.frames.push({ url, parent, top: top.url })
  return `Hello ${name}`
})
ipcMain.handle('echo', (_event, value) => value)
ipcMain.handle('describe', (_event, value) => [
  Object.prototype.toString.call(value),
  value?.constructor?.name ?? '',
])
ipcMain.handle('fail', () => {
  throw Object.assign(new RangeError('out of reach'), { code: 'EFAR' })
})
ipcMain.handle('function', () => () => 1)
ipcMain.handle('proxy', () => new Proxy({}, {}))
ipcMain.on('said', (event, ...args) => {
  lab.said.push(args)
  event.reply('answered', args.length)
})

async function* slow() {
  for (let part = 0; part < 3; part++) yield Buffer.from(`part ${part}\n`)
}

async function respond(request) {
  const { pathname } = new URL(request.url)
  lab.requests.push(`${request.method} ${request.url}`)
  const html = { 'content-type': 'text/html', 'content-security-policy': POLICY }
  switch (pathname) {
    case '/index.html':
      return new Response(PAGE, { headers: html })
    case '/next.html':
      return new Response('<title>Next</title><h1>Next</h1>', { headers: html })
    case '/page.js':
      return new Response(SCRIPT, { headers: { 'content-type': 'text/javascript' } })
    case '/stream':
      return new Response(Readable.toWeb(Readable.from(slow())), { status: 203, headers: { 'x-lab': 'yes' } })
    case '/seen':
      return new Response(`${request.headers.get('range')} ${await request.text()}`)
    default:
      return new Response('no', { status: 404 })
  }
}

/** What pages of hidden windows see, written to a file: without a driver, which would keep them visible. */
async function tryVisibility(file) {
  const look = `new Promise((done) => {
    const frame = requestAnimationFrame(() => done([document.visibilityState, 'frame']))
    setTimeout(() => { cancelAnimationFrame(frame); done([document.visibilityState, 'timer']) }, 1500)
  })`
  const run = (window, code) => window.webContents.executeJavaScript(code)
  const window = await open()
  const becomes = (state) => until(async () => (await run(window, 'document.visibilityState')) === state)
  await run(
    window,
    'globalThis.changes = []; document.onvisibilitychange = () => changes.push(document.hidden); 1',
  )
  const seen = { shown: await run(window, look) }
  window.hide()
  await becomes('hidden')
  seen.hidden = await run(window, look)
  window.show()
  await becomes('visible')
  seen.again = await run(window, look)
  // Where a window manager maps the window in steps, its page may change more often.
  seen.changes = await run(window, 'changes.slice(0, 2)')
  window.minimize()
  seen.minimized = (await until(() => window.isMinimized())) && (await becomes('hidden'))
  window.restore()
  seen.restored = (await until(() => !window.isMinimized())) && (await becomes('visible'))
  const never = await open({ show: false })
  seen.neverShown = await run(never, look)
  writeFileSync(file, JSON.stringify(seen))
  app.exit()
}

/** A fact about the app's end reads its steps here, where they outlive the process. */
const LOG = process.env.LAB_LOG
if (LOG !== undefined) {
  const log = (name) => appendFileSync(LOG, `${name}\n`)
  for (const name of ['before-quit', 'will-quit']) app.on(name, () => log(name))
  app.on('quit', (_event, code) => log(`quit ${code}`))
  app.on('browser-window-created', (_event, window) => {
    for (const name of ['close', 'closed']) window.on(name, () => log(name))
  })
}
if (process.env.LAB_QUITS === undefined) app.on('window-all-closed', () => started.push('window-all-closed'))

if (app.requestSingleInstanceLock({ from: process.argv.at(-1) })) {
  app.on('second-instance', (_event, argv, cwd, data) => lab.seconds.push({ argv, cwd, data }))
  void app.whenReady().then(() => {
    started.push('whenReady')
    protocol.handle('app', respond)
    if (process.env.LAB_VISIBILITY === undefined) void open()
    else void tryVisibility(process.env.LAB_VISIBILITY)
  })
} else app.quit()
// Before ready, as Electron requires.
protocol.registerSchemesAsPrivileged([
  { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
])
