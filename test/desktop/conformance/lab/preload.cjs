// The lab's bridge: exposes everything that a preload can do under one name.
// It uses only what a sandboxed preload has.
const { contextBridge, ipcRenderer, webUtils } = require('electron')

globalThis.secretOfThePreload = 'hidden'

const heard = []
ipcRenderer.on('told', (_event, ...args) => heard.push(args))
ipcRenderer.on('answered', (_event, count) => heard.push(['answered', count]))

const attempt = (task) => {
  try {
    return String(task())
  } catch (error) {
    return `${error.name}: ${error.message}`
  }
}
class Point {
  x = 1
  get y() {
    return 2
  }
}
const circle = { name: 'circle' }
circle.self = circle
const deep = (levels) => (levels === 0 ? 'bottom' : { next: deep(levels - 1) })
/** What isn't plain data, by name: the facts say what becomes of each. */
const ODD = {
  function: () => () => 1,
  symbol: () => Symbol('s'),
  promise: () => Promise.resolve(1),
  weakMap: () => new WeakMap(),
  blob: () => new Blob(['x']),
  element: () => document.createElement('p'),
  url: () => new URL('app://lab/'),
  point: () => new Point(),
  circle: () => circle,
  error: () => Object.assign(new RangeError('far'), { code: 'EFAR' }),
  map: () => new Map([['a', 1]]),
  date: () => new Date(7),
  regexp: () => /a/g,
  bytes: () => new Uint8Array([1, 255]),
  buffer: () => new Uint8Array([1, 255]).buffer,
  bigint: () => 2n ** 70n,
  undefined: () => undefined,
  null: () => null,
  holds: () => ({ inside: () => 1 }),
}

contextBridge.exposeInMainWorld('bridge', {
  invoke: (channel, ...args) => ipcRenderer.invoke(channel, ...args),
  say: (...args) => ipcRenderer.send('said', ...args),
  heard: () => heard,
  pathOf: (file) => webUtils.getPathForFile(file),
  /** Hands one of the odd values to the page, to main as an argument, or returns what sending it throws. */
  odd: (name) => ODD[name](),
  describeOdd: (name) => ipcRenderer.invoke('describe', ODD[name]()),
  sendOdd: (name) => attempt(() => ipcRenderer.send('said', ODD[name]())),
  /** What the preload gets when the page passes a value. */
  describe: (value) => [Object.prototype.toString.call(value), value?.constructor === Object],
  sameCircle: (value) => value.self === value,
  deep,
  nested: { deep: { add: (a, b) => a + b } },
  value: { symbol: Symbol('s'), date: new Date(0) },
  throws: () => {
    throw new TypeError('no such thing')
  },
  throwsText: () => {
    // oxlint-disable-next-line typescript/only-throw-error -- this is what is tried
    throw 'only text'
  },
  rejects: () => Promise.reject(new Error('later, no')),
  resolves: () => Promise.resolve({ at: new Date(5), list: [1, 2] }),
  callBack: (callback) => callback('from the preload', 2),
  same: (callback) => callback,
  expose: (name) => attempt(() => contextBridge.exposeInMainWorld(name, {})),
  requires: (name) => attempt(() => typeof require(name)),
  facts: {
    type: process.type,
    sandboxed: process.sandboxed,
    platform: process.platform,
    electron: process.versions.electron,
    require: typeof require,
  },
})
