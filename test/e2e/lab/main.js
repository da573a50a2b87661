// The lab's ordinary app: one window from a custom scheme, a preload, calls in both directions. Its specs test what Electron guarantees.
// LAB_PRELOAD selects another preload in this folder. Results are kept in `globalThis.lab` for specs.
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { Worker } from 'node:worker_threads'
// oxlint-disable-next-line no-restricted-imports -- a separate small app
import { app, BrowserWindow, ipcMain, protocol } from 'electron'

const here = import.meta.dirname
const PAGE = `<!doctype html><title>Lab</title><body><h1>Lab</h1><button id="greet">Greet</button><output></output>
<input type="file"><div id="drop" style="width: 200px; height: 100px">drop</div>
<a id="away" href="http://other.test/">away</a><a id="blank" target="_blank" href="https://other.test/page">blank</a><a id="next" href="/next.html">next</a>
<a id="load" href="/page.js" download="page.js">load</a><button id="open">Open</button>
<script src="page.js"></script>`
const SCRIPT = `
const out = document.querySelector('output')
document.querySelector('#greet').onclick = async () => { out.textContent = await lab.greet('Ada') }
document.querySelector('#open').onclick = () => { out.textContent = String(open('https://other.test/opened')) }
document.querySelector('input').onchange = (event) => { out.textContent = lab.pathOf(event.target.files[0]) }
const drop = document.querySelector('#drop')
drop.ondragover = (event) => event.preventDefault()
drop.ondrop = (event) => { event.preventDefault(); out.textContent = [...event.dataTransfer.files].map((file) => lab.pathOf(file)).join(' ') }
document.title = 'Lab, ready'
`
const POLICY = "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'"

protocol.registerSchemesAsPrivileged([
  { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
])
globalThis.lab = { requests: [], frames: [], preloadErrors: [], sent: [], created: 0 }
const { lab } = globalThis

ipcMain.handle('greet', (event, name) => {
  const { url, parent, top } = event.senderFrame
  lab.frames.push({ url, parent, top: top.url })
  return `Hello ${name}`
})
ipcMain.handle('echo', (_event, value) => value)
ipcMain.handle('describe', (_event, value) =>
  value instanceof Map ? [...value] : Object.prototype.toString.call(value),
)
ipcMain.handle('fail', () => {
  throw new RangeError('out of reach')
})
ipcMain.handle('function', () => () => 1)
ipcMain.on('said', (event, ...args) => {
  lab.sent.push(args)
  event.reply('answered', args.length)
})

async function* slow() {
  for (let part = 0; part < 3; part++) yield Buffer.from(`part ${part}\n`)
}

app.on('web-contents-created', (_event, contents) => {
  lab.created++
  contents.on('preload-error', (_error, path, error) =>
    lab.preloadErrors.push([path.split('/').at(-1), error.message]),
  )
})

void app.whenReady().then(() => {
  protocol.handle('app', async (request) => {
    const { pathname } = new URL(request.url)
    lab.requests.push(`${request.method} ${request.url}`)
    const html = { 'content-type': 'text/html', 'content-security-policy': POLICY }
    if (pathname === '/index.html') return new Response(PAGE, { headers: html })
    if (pathname === '/next.html') return new Response('<title>Next</title><h1>Next</h1>', { headers: html })
    if (pathname === '/page.js')
      return new Response(SCRIPT, { headers: { 'content-type': 'text/javascript' } })
    if (pathname === '/stream')
      return new Response(Readable.toWeb(Readable.from(slow())), { status: 203, headers: { 'x-lab': 'yes' } })
    return new Response('no', { status: 404 })
  })
  const preload = join(here, process.env['LAB_PRELOAD'] ?? 'preload.cjs')
  const window = new BrowserWindow({
    width: 700,
    height: 500,
    webPreferences: { preload, sandbox: true, contextIsolation: true },
  })
  window.loadURL('app://bundle/index.html').catch((error) => lab.preloadErrors.push(['load', error.message]))
})

lab.inWorker = () =>
  new Promise((resolve, reject) => {
    const worker = new Worker("require('node:worker_threads').parentPort.postMessage(process.version)", {
      eval: true,
    })
    worker.once('message', resolve)
    worker.once('error', reject)
  })
