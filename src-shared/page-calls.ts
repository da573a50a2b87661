// What each call of a page could do to the user if a hostile page made it, and what the main process requires
// first. The types cover every call, so that a new one doesn't compile until it has been judged here and is
// tried in test/attack/page.test.ts.
import type { CallName } from './window-contract.ts'

/**
 * `public`: publishes something. `moves`: sends keys or files to another place. `loses`: ends or deletes
 * something. `weakens`: turns off a protection. `desktop`: opens programs, or changes the clipboard or the
 * system.
 */
type Effect = 'none' | 'public' | 'moves' | 'loses' | 'weakens' | 'desktop'

/**
 * What the main process requires before it carries out a call:
 * - `dialog`: the user agrees in a system dialog, or chooses in one. The handler asks only if the input could
 *   have the effect.
 * - `input`: the user has just used the keyboard or the mouse in the window, according to the browser
 *   process.
 * - `one-input`: like `input`, but each key press or click allows a single call.
 * - `shown`: the window is visible. For drops, which Chromium doesn't report to the main process; see
 *   upload-handlers.ts.
 * - `token`: the input names what an earlier call has been allowed to pick.
 */
export type Proof = 'nothing' | 'dialog' | 'input' | 'one-input' | 'shown' | 'token'

interface Judgement {
  readonly effect: Effect
  readonly needs: Proof
}

const HARMLESS: Judgement = { effect: 'none', needs: 'nothing' }
const OPENS: Judgement = { effect: 'desktop', needs: 'one-input' }
const COPIES: Judgement = { effect: 'desktop', needs: 'input' }

export const PAGE_CALLS: Readonly<Record<CallName, Judgement>> = {
  boot: HARMLESS,
  letGo: HARMLESS,
  typedSaved: HARMLESS,
  change: { effect: 'weakens', needs: 'dialog' },
  connect: { effect: 'moves', needs: 'one-input' },
  adopt: { effect: 'moves', needs: 'dialog' },
  startTrial: { effect: 'moves', needs: 'input' },
  endTrial: { effect: 'loses', needs: 'dialog' },
  release: { effect: 'public', needs: 'dialog' },
  signOut: { effect: 'loses', needs: 'dialog' },
  readKeyAgain: COPIES,
  accounts: HARMLESS,
  useAccount: { effect: 'moves', needs: 'input' },
  renameAccount: HARMLESS,
  removeAccount: { effect: 'loses', needs: 'dialog' },

  chooseFolder: OPENS,
  pickScreenshots: HARMLESS,
  planPicked: HARMLESS,
  watchPicked: { effect: 'public', needs: 'dialog' },
  changeFolder: { effect: 'public', needs: 'dialog' },
  chooseTarget: OPENS,
  copyFromFolder: COPIES,
  answerCopies: COPIES,
  openFolder: OPENS,
  defaultRules: HARMLESS,
  unwatch: { effect: 'loses', needs: 'input' },

  uploadChosen: { effect: 'public', needs: 'one-input' },
  uploadClipboard: { effect: 'public', needs: 'one-input' },
  takeRegion: { effect: 'public', needs: 'one-input' },
  shelf: { effect: 'desktop', needs: 'input' },
  lastDrop: HARMLESS,
  keepClipboard: { effect: 'public', needs: 'one-input' },
  keepDrop: { effect: 'public', needs: 'shown' },
  kept: HARMLESS,
  uploadKept: { effect: 'public', needs: 'token' },
  pickKept: HARMLESS,
  discardKept: { effect: 'loses', needs: 'dialog' },
  dropPart: HARMLESS,
  drop: { effect: 'public', needs: 'shown' },
  uploadPicked: { effect: 'public', needs: 'token' },
  forgetPicked: { effect: 'loses', needs: 'input' },

  copyLinks: COPIES,
  copyLastDrop: COPIES,
  copyTransferLinks: COPIES,
  openLink: OPENS,
  qrPicture: OPENS,
  file: HARMLESS,
  showInFolder: OPENS,
  dragFiles: OPENS,
  // More than a few at a time also need a dialog (deletes.ts).
  deleteFiles: { effect: 'loses', needs: 'input' },
  // It may delete what was uploaded, with the same question as `deleteFiles`, or watch a folder again.
  undo: { effect: 'public', needs: 'one-input' },
  secondCopies: HARMLESS,

  snooze: HARMLESS,
  update: { effect: 'desktop', needs: 'input' },
  proxyLogin: { effect: 'moves', needs: 'input' },
  fileManager: { effect: 'desktop', needs: 'nothing' },
  openLog: OPENS,
  openData: OPENS,
  openWebsite: OPENS,
  licences: HARMLESS,
  diagnostics: HARMLESS,
  saveDiagnostics: OPENS,
  quit: { effect: 'loses', needs: 'input' },

  snapshot: HARMLESS,
  transfers: HARMLESS,
  folderSums: HARMLESS,
  auditSearch: HARMLESS,
  catalog: HARMLESS,
  stats: HARMLESS,
  history: HARMLESS,
  pause: HARMLESS,
  resume: { effect: 'public', needs: 'input' },
  retry: { effect: 'public', needs: 'input' },
  cancel: { effect: 'loses', needs: 'input' },
  pauseFiles: HARMLESS,
  resumeFiles: { effect: 'public', needs: 'input' },
  // It also resumes paused files.
  sendNext: { effect: 'public', needs: 'input' },
  keepFiles: HARMLESS,
  rescan: HARMLESS,
  // Resuming publishes what waits, as `resume` does.
  pauseFolder: { effect: 'public', needs: 'input' },
}

/** What the shelf's page may call. It shows and takes drops, and nothing else. */
export const SHELF_CALLS = [
  'boot',
  'shelf',
  'drop',
  'dropPart',
  'uploadPicked',
  'forgetPicked',
  'lastDrop',
  'copyLastDrop',
  'transfers',
] as const satisfies readonly CallName[]
