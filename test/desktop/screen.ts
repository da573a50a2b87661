// `screen`: a single display of a common size with a scale factor of one, which never changes.
// Its events fire only when a test emits them.
import { EventEmitter } from 'node:events'
import { strict } from './strict.ts'

export const SCREEN = { width: 1920, height: 1080 } as const

const display = {
  id: 1,
  label: 'Stand-in',
  bounds: { x: 0, y: 0, ...SCREEN },
  workArea: { x: 0, y: 0, ...SCREEN },
  size: { ...SCREEN },
  workAreaSize: { ...SCREEN },
  scaleFactor: 1,
  rotation: 0,
  internal: true,
} as Electron.Display

export const screen = strict(
  'screen',
  Object.assign(new EventEmitter(), {
    getPrimaryDisplay: (): Electron.Display => display,
    getAllDisplays: (): Electron.Display[] => [display],
    getDisplayMatching: (_rectangle: Electron.Rectangle): Electron.Display => display,
    getDisplayNearestPoint: (_point: Electron.Point): Electron.Display => display,
    getCursorScreenPoint: (): Electron.Point => ({ x: 0, y: 0 }),
  }),
)
