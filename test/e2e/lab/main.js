// The lab's ordinary app: one window from a custom scheme, a preload, calls in both directions. Its specs ask what Electron promises.
// It holds no opinion of its own, so that a spec can set everything through `app.evaluate`.
import { join } from 'node:path'
import { Readable } from 'node:stream'
// oxlint-disable-next-line no-restricted-imports -- an app of its own, small as it is
import { app, BrowserWindow, ipcMain, protocol } from 'electron'

const here = import.meta.dirname
const PAGE = `<!doctype html><title>Lab</title><body><h1>Lab</h1><button>Greet</button><output></output><input type="file"><div id="drop">drop</div>
<script src="page.js"></script>`
const SCRIPT = `
document.querySelector('button').onclick = async () => { document.querySelector('output').textContent = await lab.greet('Ada') }`

protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } }])
globalThis.lab = { requests: [], frames: [] }

ipcMain.handle('greet', (event, name) => {
  globalThis.lab.frames.push({ url: event.senderFrame.url, parent: event.senderFrame.parent, top: event.senderFrame.top.url })
  return `Hello ${name}`
})

async function* slow() {
  for (let part = 0; part < 3; part++) yield Buffer.from(`part ${part}\n`)
}

app.whenReady().then(() => {
  protocol.handle('app', (request) => {
    const { pathname } = new URL(request.url)
    globalThis.lab.requests.push(request.url)
    const headers = { 'content-type': 'text/html', 'content-security-policy': "default-src 'self'" }
    if (pathname === '/index.html') return new Response(PAGE, { headers })
    if (pathname === '/page.js') return new Response(SCRIPT, { headers: { 'content-type': 'text/javascript' } })
    if (pathname === '/stream') return new Response(Readable.toWeb(Readable.from(slow())), { headers: { 'x-lab': 'yes' } })
    return new Response('no', { status: 404 })
  })
  const window = new BrowserWindow({
    width: 700,
    height: 500,
    webPreferences: { preload: join(here, 'preload.cjs'), sandbox: true, contextIsolation: true, nodeIntegration: false },
  })
  void window.loadURL('app://bundle/index.html')
})
