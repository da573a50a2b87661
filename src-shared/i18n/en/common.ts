// Texts shared by several views of the window: the frame, reasons, failures, times.
// The English original, whose type all other languages must match.
import { NEAR_LIMITS } from '../../choices.ts'
import type { FailureCode, FolderRefusal } from '../../engine-contract.ts'
import type { NoticeAbout } from '../../events.ts'
import type { NearLimit } from '../../model.ts'
import { rowReasons } from '../reasons.ts'
import { paletteWords } from './palette-words.ts'
import { leftOut, reasonWords } from './reasons.ts'

const files = (n: number, shown: string): string => `${shown} ${n === 1 ? 'file' : 'files'}`

/** What happened, and what the user can do. */
const failures: Readonly<Record<FailureCode, { readonly title: string; readonly hint: string }>> = {
  usage: { title: 'Slipway can’t use this input.', hint: 'Check what you entered.' },
  'no-key': { title: 'No API key yet.', hint: 'Connect to the service in Settings.' },
  'key-refused': { title: 'The API key was refused.', hint: 'Uploads wait until the service accepts a key.' },
  'no-api': {
    title: 'Your plan doesn’t include API access.',
    hint: 'Pro, Business and Enterprise plans do.',
  },
  'no-connection': {
    title: 'Can’t reach the service.',
    hint: 'Check the address and your network. Slipway keeps trying.',
  },
  'not-found': { title: 'This item no longer exists.', hint: 'It may have been deleted on another device.' },
  unreadable: {
    title: 'Couldn’t read the file.',
    hint: 'Check that it still exists and that you have permission to read it.',
  },
  waits: { title: 'Request limit reached.', hint: 'Try again later.' },
  disk: { title: 'Couldn’t write to disk.', hint: 'Check free space and permissions, then try again.' },
  'journal-unusable': {
    title: 'Couldn’t open the journal.',
    hint: 'Nothing is lost. Install the latest version of Slipway, then start it again.',
  },
  keychain: {
    title: 'Couldn’t use the system keychain.',
    hint: 'Unlock it, or use the API key without saving it.',
  },
  clipboard: { title: 'Couldn’t copy to the clipboard.', hint: 'Click Slipway’s window and copy again.' },
  server: {
    title: 'Unexpected response from the service.',
    hint: 'Try again. If this keeps happening, check the address.',
  },
  closing: { title: 'Slipway is restarting its sync engine.', hint: 'Try again in a moment.' },
  defect: { title: 'Internal error.', hint: 'See the log for details.' },
}

type FailuresOf = Readonly<
  Record<string, Partial<Readonly<Record<FailureCode, { readonly title: string; readonly hint: string }>>>>
>

const notWatched = {
  'not-found': {
    title: 'This folder is no longer watched.',
    hint: 'Watch it again to upload its new files.',
  },
}
const cantReadClipboard = {
  clipboard: { title: 'Couldn’t read the clipboard.', hint: 'Copy the content again, then try again.' },
}
const cantReadDrop = {
  usage: {
    title: 'Couldn’t read what you dropped.',
    hint: 'Drop the files again, or the folder that contains them.',
  },
  unreadable: {
    title: 'What you dropped isn’t a file.',
    hint: 'Save it as a file first, then drop the file.',
  },
}
const cantOpenFolder = {
  title: 'Couldn’t open the folder.',
  hint: 'Check that you have permission to read it.',
}

/**
 * Texts that replace those above for calls in which a failure code has another meaning. `start`: why the
 * engine couldn’t be started.
 */
const failuresOf: FailuresOf = {
  start: {
    usage: { title: 'The sync engine couldn’t be started.', hint: 'Slipway’s window shows the reason.' },
    // This failure can occur without a request to the service: the key may contain characters that can’t be
    // sent.
    'key-refused': {
      title: 'The API key isn’t valid.',
      hint: 'Enter another key, or correct the variable SLIPWAY_API_KEY.',
    },
  },
  showInFolder: {
    'not-found': {
      title: 'The original is no longer there.',
      hint: 'It was moved or deleted on this computer.',
    },
  },
  dragFiles: {
    'not-found': {
      title: 'The original has changed or is no longer there.',
      hint: 'Its link still works. Drag the row again to drag the link.',
    },
  },
  openLink: {
    'not-found': { title: 'This file has no link to open.', hint: 'Refresh the list, then try again.' },
  },
  openFolder: {
    'not-found': {
      title: 'The folder is no longer there.',
      hint: 'Reconnect its disk or restore the folder.',
    },
    disk: cantOpenFolder,
  },
  openData: { disk: cantOpenFolder },
  licences: {
    disk: { title: 'Couldn’t read the licences.', hint: 'They are in licences.txt in the app’s folder.' },
  },
  uploadClipboard: cantReadClipboard,
  takeRegion: {
    'not-found': {
      title: 'This desktop has no tool for screenshots that Slipway can use.',
      hint: 'Install xdg-desktop-portal for your desktop. Or copy a screenshot yourself, then upload the clipboard.',
    },
    unreadable: {
      title: 'Couldn’t take a screenshot.',
      hint: 'Allow Slipway to record the screen in the settings of your system, then try again.',
    },
  },
  keepClipboard: cantReadClipboard,
  drop: cantReadDrop,
  keepDrop: cantReadDrop,
  uploadPicked: { usage: { title: 'These files can’t be uploaded any more.', hint: 'Drop them again.' } },
  copyLinks: {
    usage: {
      title: 'The list has changed, so no links were copied.',
      hint: 'Select the files again, then copy.',
    },
  },
  deleteFiles: {
    usage: {
      title: 'The list has changed, so nothing was deleted.',
      hint: 'Select the files again, then delete.',
    },
  },
  watchPicked: { 'not-found': { title: 'This folder is no longer available.', hint: 'Choose it again.' } },
  signOut: {
    keychain: {
      title: 'Couldn’t delete the API key from the keychain.',
      hint: 'Unlock the keychain, then sign out again.',
    },
  },
  proxyLogin: {
    keychain: {
      title: 'Couldn’t delete the proxy sign-in from the keychain.',
      hint: 'Unlock the keychain, then remove it again.',
    },
  },
  removeAccount: {
    keychain: {
      title: 'Couldn’t delete the API key from the keychain, so the account wasn’t removed.',
      hint: 'Unlock the keychain, then remove the account again.',
    },
  },
  renameAccount: {
    'not-found': {
      title: 'This account is no longer on this computer.',
      hint: 'It may have been removed in the meantime.',
    },
  },
  rescan: notWatched,
  changeFolder: notWatched,
  copyFromFolder: notWatched,
}

/** Why a folder can't be watched, and what the user can do. */
const folderRefusals: Readonly<Record<FolderRefusal, { readonly title: string; readonly hint: string }>> = {
  forbidden: {
    title: 'Your organization doesn’t allow uploads from this folder.',
    hint: 'Choose another folder, or ask your administrator.',
  },
  'own-data': {
    title: 'This folder belongs to Slipway itself and is never uploaded.',
    hint: 'Choose another folder.',
  },
  'not-a-folder': {
    title: 'This folder no longer exists.',
    hint: 'Something else is in its place. Choose another folder.',
  },
  unreadable: cantOpenFolder,
  unwatched: { title: 'This folder is no longer watched.', hint: 'Watch it again to upload its files.' },
  'target-missing': {
    title: 'The folder for uploaded files doesn’t exist.',
    hint: 'Choose another folder for them.',
  },
  'target-refused': {
    title: 'Uploaded files can’t be moved to this folder.',
    hint: 'It’s in a watched folder, or belongs to Slipway. Choose another one.',
  },
  'is-target': {
    title: 'Another watched folder moves its uploaded files here.',
    hint: 'Choose another folder, or change the rules of that one.',
  },
}

/** Titles of notices that don't respond to a request from the window. Most come from the engine. */
/** `shown` is the percentage. */
const nearLimits: Readonly<Record<NearLimit['limit'], (shown: string) => string>> = {
  uploads: (shown) => `${shown} of today’s uploads used`,
  requests: (shown) => `${shown} of today’s requests used`,
  storage: (shown) => `${shown} of your storage used`,
  files: (shown) => `${shown} of your plan’s number of files used`,
}

const noticeTitles: Readonly<Record<NoticeAbout['what'], (name: string, n: number) => string>> = {
  'key-refused': () => 'The API key was refused.',
  'no-api': () => 'Your plan doesn’t include API access. Uploads wait.',
  'watch-limit': () =>
    'The system’s limit for watched folders is reached. Slipway scans the affected folder every 20 seconds instead.',
  'watch-blind': () =>
    'The system doesn’t report changes in a watched folder. Slipway scans it every 20 seconds instead.',
  'first-download': (name, n) =>
    n === 1 ? `First download of ${name}` : `First downloads of ${name} and ${n - 1} more`,
  journal: () => 'Couldn’t read the journal. Slipway started a new one.',
  disk: () => 'Couldn’t write to disk. Uploads wait.',
  'not-deleted': (_name, n) => (n === 1 ? 'Couldn’t delete a file.' : 'Couldn’t delete some files.'),
  'shortcut-taken': (name) => `Couldn’t register the shortcut ${name}.`,
  'near-limit': (name, n) => `${nearLimits[NEAR_LIMITS.find((one) => one === name) ?? 'uploads'](`${n}%`)}.`,
  'not-moved': (name) => `Couldn’t move uploaded files to ${name === '' ? 'the bin' : name}.`,
}
/** Empty if the title needs no explanation. */
const noticeHints: Readonly<Record<NoticeAbout['what'], (name: string, n: number) => string>> = {
  'key-refused': () => 'Uploads wait until the service accepts a key.',
  'no-api': () => 'Pro, Business and Enterprise plans include it.',
  'watch-limit': (name) => `Raise ${name} to detect changes immediately.`,
  'watch-blind': () => '',
  'first-download': () => '',
  journal: (name) => `The old journal was kept as ${name}.`,
  disk: () => 'Check free space and permissions. Uploads then resume automatically.',
  'not-deleted': (_name, n) => {
    if (n === 0) return 'Slipway couldn’t read which ones. Check your files and delete them again.'
    return n === 1
      ? 'It’s still on the service. Try again.'
      : `${n} files are still on the service. Try again.`
  },
  'shortcut-taken': () =>
    'Another app may be using it. Slipway tries again every minute. You can choose another one in Settings → Startup.',
  'near-limit': () => 'Files beyond the limit wait. Nothing is lost.',
  'not-moved': (name) =>
    name === ''
      ? 'They stay where they are. Slipway tries again.'
      : 'They stay where they are. Check that the folder exists and has space. Slipway tries again.',
}

export const common = {
  appName: 'Slipway',
  views: { files: 'Files', transfers: 'Transfers', usage: 'Usage', settings: 'Settings' },
  navigation: 'Views',
  account: (name: string) => `Account: ${name}`,
  accounts: 'Accounts',
  accountsNeed: (n: number, shown: string) =>
    n === 1 ? 'Another account needs attention' : `${shown} other accounts need attention`,
  accountPaused: 'Paused',
  accountSignedOut: 'Signed out',
  accountStopped: 'Sync engine not running',
  accountKeyUnread: 'Keychain not available',
  addAccount: 'Add account…',
  manageAccounts: 'Manage accounts…',
  switchTo: (name: string) => `Switch to ${name}`,
  switchedTo: (name: string) => `Switched to ${name}.`,
  /** `n`: the number of open files of the previous account, `name`. */
  leftContinues: (n: number, shown: string, name: string) =>
    n === 1
      ? `1 file of ${name} continues in the background.`
      : `${shown} files of ${name} continue in the background.`,
  leftWaits: (n: number, shown: string, name: string) =>
    n === 1
      ? `1 file of ${name} waits until uploads to it are possible again.`
      : `${shown} files of ${name} wait until uploads to it are possible again.`,
  managedFaultTitle: 'Your organization’s policy can’t be used.',
  managedFaultHint: (reason: string) =>
    `${reason.replaceAll("'", '’')} Nothing is uploaded until it’s corrected.`,
  managedAddressTitle: (address: string) => `Your organization allows only ${address}`,
  managedAddressHint: 'Waiting files stay in the queue. Add an account there, or ask your administrator.',
  signedOutTitle: (name: string) => `Signed out of ${name}.`,
  signedOutHint: 'Uploads wait until you enter the API key.',
  keyUnreadTitle: 'Couldn’t read the API key from the keychain.',
  keyUnreadHint: 'Uploads wait. Unlock the keychain, then try again.',
  watchedFolders: 'Watched folders',
  addFolder: 'Watch folder',
  /** `done`: uploaded, or ignored by a rule. */
  folderDone: (done: string, seen: string) => `${done} of ${seen} done`,
  folderScanning: 'Scanning',
  folderScanned: (ago: string) => `Scanned ${ago}`,
  folderAway: 'Not available',
  folderSilent: 'Drive not responding',
  folderEmpty: 'Empty',
  folderPaused: 'Paused',
  folderMenu: {
    more: (name: string) => `Actions for ${name}`,
    rules: 'Rules…',
    copyLinks: 'Copy links',
    pause: 'Pause',
    resume: 'Resume',
    scan: 'Scan now',
    open: 'Open folder',
    stop: 'Stop watching',
    stopped: 'No longer watched',
    stopTitle: (name: string) => `Stop watching ${name}?`,
    stopText:
      'It isn’t available, so this can’t be undone before it is back. Uploaded files stay on the service and their links keep working. Files still waiting in this folder aren’t uploaded.',
  },
  showFilesOf: (name: string) => `Show files of ${name}`,
  showAllFolders: 'Show files of all folders',
  gauge: 'Plan limits',
  requestsThisMinute: 'Requests this minute',
  requestsMinuteShort: 'Requests / min',
  uploadsToday: 'Uploads today',
  requestsToday: 'Requests today',
  of: (used: string, limit: string) => `${used} / ${limit}`,
  limitUnknown: (used: string) => `${used}, limit unknown`,
  gaugeFree: 'No limit reached.',
  gaugeMinute: (when: string) =>
    `Rate limit reached. Uploads resume ${when === '' ? 'automatically' : when}.`,
  gaugeDay: (when: string) => `Daily limit reached.${when === '' ? '' : ` Next try ${when}.`}`,
  gaugePaused: 'Paused. No new uploads start.',
  gaugeOffline: 'No connection. Slipway keeps trying.',
  gaugeKey: 'No uploads until the service accepts a key.',
  gaugePolicy: 'No uploads until the policy is repaired.',
  gaugeBlocked: 'No uploads until the service grants access.',
  gaugeUploads: (n: number, shown: string) => `${shown} more ${n === 1 ? 'upload' : 'uploads'} today.`,
  statusAllSafe: 'Every file accounted for',
  statusNeedsYou: (n: number, shown: string) =>
    n === 1 ? '1 file needs attention' : `${shown} files need attention`,
  statusUploading: (_n: number, shown: string) => `${shown} uploading`,
  statusWaiting: (_n: number, shown: string) => `${shown} waiting`,
  statusPaused: (_n: number, shown: string) => `${shown} paused`,
  statusSettling: (_n: number, shown: string) => `${shown} still being written`,
  statusChecking: (_n: number, shown: string) => `${shown} being checked`,
  restartToUpdate: 'Restart to update',
  statusCommands: (keys: string) => `${keys} for commands`,
  filesCount: files,
  upload: 'Upload',
  uploadFiles: 'Upload files…',
  uploadFolder: 'Upload folder…',
  uploadClipboard: 'Upload from clipboard',
  takeRegion: 'Take screenshot and upload',
  openShelf: 'Show shelf',
  nothingOnClipboard: 'Nothing on the clipboard to upload.',
  clipboardTooLarge: {
    picture: (size: string) => `The picture on the clipboard (${size}) is too large.`,
    text: (size: string) => `The text on the clipboard (${size}) is too large.`,
    hint: 'Save it as a file, then upload the file.',
  },
  copy: 'Copy',
  copied: 'Copied',
  copyLink: 'Copy link',
  copyLinks: (n: number, shown: string) => (n === 1 ? 'Copy link' : `Copy ${shown} links`),
  nothingSelected: 'Nothing selected.',
  nothingSelectedHint: 'Select a file in the list first.',
  copiedLinks: (n: number, shown: string) => (n === 1 ? 'Link copied' : `${shown} links copied`),
  noLastDrop: 'Nothing dropped yet.',
  missingLinks: (n: number, shown: string) =>
    n === 1 ? '1 link not available yet' : `${shown} links not available yet`,
  copyAs: (style: string) => `Copy link as ${style}`,
  copyAsMenu: 'Copy as',
  copyAsMore: 'Copy as…',
  /** After the name of the first file. */
  andMore: (shown: string) => `and ${shown} more`,
  copyCustom: 'Copy link in custom format',
  customFormat: 'Custom link format…',
  linkStyles: { url: 'URL', markdown: 'Markdown', html: 'HTML', bbcode: 'BBCode', template: 'Custom' },
  open: 'Open',
  show: 'Show',
  showInFolder: 'Show in folder',
  notDragged: (n: number, shown: string) =>
    n === 1
      ? '1 file wasn’t dragged: its original has changed or is gone.'
      : `${shown} files weren’t dragged: their originals have changed or are gone.`,
  qr: 'QR',
  qrTitle: 'QR code for the link',
  delete: 'Delete',
  undo: 'Undo',
  /** What Ctrl+Z undoes. `name` is empty if it is unknown. */
  undoOf: {
    delete: (n: number, shown: string, name: string) =>
      n > 1 || name === '' ? `Undo delete of ${files(n, shown)}` : `Undo delete of ${name}`,
    upload: (n: number, shown: string, name: string) =>
      n > 1 ? `Undo upload of ${files(n, shown)}` : `Undo upload of ${name}`,
    unwatch: (_n: number, _shown: string, name: string) => `Undo stop watching ${name}`,
    'put-away': (n: number, shown: string, name: string) =>
      n > 1 ? `Move ${files(n, shown)} back` : `Move ${name} back`,
    cancel: (n: number, shown: string, name: string) =>
      n > 1 ? `Undo cancel of ${shown} uploads` : `Undo cancel of ${name}`,
    nothing: 'Nothing to undo',
    unnamed: 'Undo last action',
  },
  undone: {
    delete: 'Not deleted',
    unwatch: 'Watched again',
    'put-away': 'Moved back',
    /** Uploads that were cancelled, and files whose deletion was undone with them. */
    cancel: 'Restored',
  },
  /** What became of all files of an upload that was undone. */
  undoneAll: {
    cancelled: (n: number) => (n === 1 ? 'Upload cancelled' : 'Uploads cancelled'),
    checking: (n: number) =>
      n === 1 ? 'Checking whether it was uploaded' : 'Checking whether they were uploaded',
    deleting: (_n: number) => 'Being deleted from the service',
    deleted: (n: number) => (n === 1 ? 'Was uploaded, now deleted' : 'Were uploaded, now deleted'),
    kept: (_n: number) => 'Still on the service',
  },
  /** What became of some of the files. */
  undoneParts: {
    cancelled: (_n: number, shown: string) => `${shown} cancelled`,
    checking: (_n: number, shown: string) => `${shown} being checked`,
    deleting: (_n: number, shown: string) => `${shown} being deleted`,
    deleted: (_n: number, shown: string) => `${shown} deleted`,
    kept: (_n: number, shown: string) => `${shown} still on the service`,
  },
  cancel: 'Cancel',
  close: 'Close',
  pause: 'Pause',
  pauseAll: 'Pause all',
  pauseNow: 'Pause now',
  pauseAllNow: 'Pause all now, stop uploads in progress',
  resume: 'Resume',
  resumePaused: 'Resume paused uploads',
  retry: 'Try again',
  retryAll: 'Try failed and waiting uploads again',
  refresh: 'Refresh',
  search: 'Search',
  clear: 'Clear',
  more: 'More',
  details: 'Details',
  quit: 'Quit',
  palette: 'Commands',
  shortcuts: 'Keyboard shortcuts',
  keysAnywhere: 'From any app',
  /** What keys do that have no other name in the window. */
  keys: {
    paste: (asks: boolean) => `Upload what you copied${asks ? ', text after a question' : ''}`,
    'paste-upload': 'Upload what you copied without a question',
    'copy-row': 'Copy the link of the current row',
    menu: 'Open the menu of the current row',
    move: 'Move in the list',
    buttons: 'Move between the buttons of a row',
    toggle: 'Select or deselect the current row',
    extend: 'Extend the selection',
    type: 'Search for what you type',
    escape: 'Clear the selection, close dialogs and messages',
    'zoom-in': 'Zoom in',
    'zoom-out': 'Zoom out',
    'zoom-reset': 'Actual size',
    'full-screen': 'Full screen',
    minimize: 'Minimize window',
    close: 'Close window',
  },
  selectAll: 'Select all',
  paletteHint: 'Search commands and files',
  paletteCommands: 'Commands',
  paletteGroups: {
    actions: 'Actions',
    selection: 'Selected files',
    go: 'Go to',
    view: 'View',
    app: 'Slipway',
  },
  paletteWords,
  paletteFiles: 'Files',
  paletteNotRead: (read: string) => `The list isn’t complete yet: ${read}.`,
  paletteNothing: 'No results. Try a shorter search.',
  deleteSelected: 'Delete selected files',
  openSelected: 'Open selected file in browser',
  watchFolder: 'Watch folder…',
  enterKeyCommand: 'Enter new API key',
  density: { comfortable: 'Use comfortable rows', compact: 'Use compact rows' },
  languages: { system: 'Language: System', en: 'Language: English', de: 'Language: Deutsch' },
  goTo: (view: string) => `Go to ${view}`,
  sortBy: (column: string) => `Sort files: ${column}`,
  theme: { system: 'Use system appearance', light: 'Use light appearance', dark: 'Use dark appearance' },
  copyLastDrop: 'Copy links of the last drop',
  copyLastDropAs: (style: string) => `Copy links of the last drop as ${style}`,
  snooze: (span: string) => `Snooze notifications for ${span}`,
  openLog: 'Show log',
  checkForUpdates: 'Check for updates',
  openWebsite: 'Open service website',
  dropTitlePlain: 'Drop to upload',
  dropTitle: (n: number, shown: string) =>
    n === 1 ? 'Drop to upload 1 item' : `Drop to upload ${shown} items`,
  dropHint: 'Slipway asks first if something needs your decision.',
  dropPlanTitle: (n: number, shown: string) => `Upload ${files(n, shown)}?`,
  dropCounting: 'Counting files',
  dropNow: 'uploads now',
  dropAtOnce: 'now',
  dropSoon: (span: string) => `within ${span}`,
  /** `when` is empty if unknown. */
  dropLater: (when: string) => (when === '' ? 'later' : `starting ${when}`),
  dropLast: (when: string) => `The last upload starts ${when}.`,
  dropAlready: (n: number) =>
    n === 1 ? 'is already uploaded. Its link is ready.' : 'are already uploaded. Their links are ready.',
  dropHeld: (n: number) =>
    n === 1 ? 'looks like a secret and needs your approval' : 'look like secrets and need your approval',
  dropTooBig: (n: number) =>
    n === 1 ? 'exceeds your plan’s file size limit' : 'exceed your plan’s file size limit',
  dropIgnored: (n: number) => (n === 1 ? 'is ignored by a rule' : 'are ignored by rules'),
  dropFailed: (_n: number) => 'can’t be read',
  dropAddress: {
    title: 'The browser passed on only the picture’s address.',
    hint: (keys: string) =>
      `Slipway loads nothing from the web. Copy the picture in the browser, then press ${keys} here.`,
  },
  dropNoFile: {
    title: (names: string) => `Couldn’t read ${names}.`,
    hint: 'Save it as a file first, then drop the file.',
  },
  shelf: {
    title: 'Shelf',
    drop: 'Drop files here',
    hint: 'Their links are copied as soon as they’re ready.',
    notConnected: 'Not connected',
    notConnectedHint: 'Connect in Slipway’s window to upload here.',
    notOnTop:
      'On Wayland, only the desktop keeps windows on top: choose “Always on top” in the menu of the title bar.',
    last: 'Last drop',
    more: (n: number, shown: string) => (n === 1 ? 'and 1 more' : `and ${shown} more`),
  },
  pasteNames: {
    /** The default for names of pasted content. The words in braces are the same in every language. */
    pattern: '{kind} {date} at {time}',
    kinds: { picture: 'Picture', text: 'Text', screenshot: 'Screenshot' },
  },
  dropWait: 'Not now',
  dropDont: 'Don’t upload',
  dropNothing: 'Nothing to upload now',
  dropAdd: 'Add to Transfers',
  dropLinks: 'Copy links',
  batchQueued: (n: number, shown: string) => (n === 1 ? '1 file added' : `${shown} files added`),
  batchAlready: (n: number, shown: string) => (n === 1 ? '1 already uploaded' : `${shown} already uploaded`),
  batchHeld: (n: number, shown: string) =>
    n === 1 ? '1 needs your approval' : `${shown} need your approval`,
  batchPaused: 'Nothing is sent until you resume them in Transfers.',
  batchAwaits: (n: number, shown: string) =>
    n === 1 ? '1 file waits for your answer' : `${shown} files wait for your answer`,
  /** After the files of a dropped folder were added. */
  droppedFolder: {
    title: (name: string) => `Upload new files in ${name}, too?`,
    hint: 'What you save there later isn’t uploaded unless you watch the folder.',
  },
  batchAwaitsHint: 'Answer the open question. Slipway then asks about these files.',
  batchRest: (_n: number, shown: string, why: string) => `${shown} more may not have been added. ${why}`,
  trialTitle: 'Trying Slipway: links work only on this computer, and everything is deleted when you quit.',
  trialConnect: 'Connect account…',
  trialEndText:
    'Its links stop working, and its copies and what you pasted in it are deleted. Your own files stay where they are.',
  engineDown: 'Slipway is restarting its sync engine. Nothing is lost.',
  engineStopped: 'Slipway’s sync engine isn’t running.',
  accountBlockedTitle: 'The API key was refused.',
  /** `when`: the next attempt with the same key, made if it worked before. Empty if none is planned. */
  accountBlockedHint: (when: string) =>
    when === ''
      ? 'Uploads wait until the service accepts a key.'
      : `Uploads wait. Slipway tries this key again ${when}.`,
  /**
   * Shown if the key comes from the environment. A key that the user enters then applies only until Slipway
   * quits.
   */
  accountBlockedHintEnvironment:
    'Uploads wait. The key comes from the environment variable SLIPWAY_API_KEY. A key you enter here is used until Slipway quits. To replace it for good, change the variable.',
  enterKey: 'Enter new key',
  noApiTitle: 'Your plan doesn’t include API access.',
  noApiHint: 'Uploads wait. Pro, Business and Enterprise plans include it.',
  noApiShort: 'No API',
  checkAgain: 'Check again',
  proxyLoginTitle: (proxy: string) => `The proxy ${proxy} requires a user name and password.`,
  proxyLoginHint: 'Uploads wait until you enter them.',
  proxyLoginDo: 'Sign in…',
  /** Banners about the disk with Slipway's own data. `folder`: its path. */
  diskFaults: {
    full: {
      title: 'The disk is full.',
      hint: (folder: string) => `Uploads wait until there is space for Slipway’s data in ${folder}.`,
    },
    'read-only': {
      title: 'Slipway can’t save its data.',
      hint: (folder: string) => `Uploads wait until Slipway may write to ${folder}.`,
    },
    failing: {
      title: 'The disk reports errors.',
      hint: (folder: string) => `Uploads wait until Slipway can write to ${folder}.`,
    },
    locked: {
      title: 'Another program has locked Slipway’s data.',
      hint: (folder: string) => `Uploads wait until it releases ${folder}.`,
    },
  },
  /** `name`: the first file that waits for the disk. */
  stuckDrops: (name: string, more: number, shown: string) =>
    `Slipway uploads ${name}${more === 0 ? '' : ` and ${shown} more`} once it can write again. Check free space and permissions.`,
  nextTry: (when: string) => (when === '' ? '' : `Next try ${when}.`),
  offlineTitle: 'Can’t reach the service.',
  offlineHint: (when: string) =>
    when === '' ? 'Slipway keeps trying. Nothing is lost.' : `Next try ${when}. Nothing is lost.`,
  folderGoneTitle: (name: string) => `The folder ${name} is not available.`,
  folderSilentTitle: (name: string) => `The drive of the folder ${name} isn’t responding.`,
  folderSilentHint: 'Check the drive and its connection. The folder’s uploads wait until it responds.',
  folderGoneHint: 'Reconnect its disk or restore the folder. Its uploads wait until then.',
  copyOffer: 'Copy links of saved files?',
  copyOfferHint: (names: string) =>
    `Slipway can copy the link of each file you save in ${names}. You can change this in Settings.`,
  copyOfferDo: 'Copy links',
  copyOfferChoose: 'Choose folders…',
  copyOfferLater: 'Not now',
  /** `names`: `a.txt, b.txt and 3 more`. */
  secondCopies: (n: number, shown: string, names: string) =>
    n === 1 ? `Second copy on the service: ${names}.` : `${shown} second copies on the service: ${names}.`,
  secondCopiesHint: (n: number): string =>
    n === 1
      ? 'Its upload arrived twice. Slipway left the copy because it may belong to another device or app. Deleting it doesn’t affect your link.'
      : 'Their uploads arrived twice. Slipway left the copies because they may belong to another device or app. Deleting them doesn’t affect your links.',
  secondCopiesDelete: (n: number): string => (n === 1 ? 'Delete copy' : 'Delete copies'),
  pausedTitle: 'Paused.',
  pausedHint: (n: number, shown: string) =>
    n === 0
      ? 'No uploads in progress. New ones start when you resume.'
      : `${n === 1 ? '1 upload in progress finishes' : `${shown} uploads in progress finish`}. New ones start when you resume.`,
  closeNotice: 'Dismiss',
  showFile: (name: string) => `Show ${name}`,
  partNotLoaded: 'Couldn’t load this part of the window.',
  partNotLoadedHint: 'Uploads continue. If reloading doesn’t help, restart Slipway.',
  partNotLoadedDo: 'Reload window',
  deletesIn: (span: string) => `Deleting in ${span}`,
  /**
   * Titles of the notice about queued deletions, in this order: offline, without access, rate-limited, in
   * progress.
   */
  deletesLater: 'Deleting once the service is reachable',
  deletesBlocked: 'Deleting once the service grants access',
  deletesAt: (clock: string) => `Deleting resumes ${clock}`,
  deletesNow: (n: number, shown: string) => (n === 1 ? 'Deleting 1 file' : `Deleting ${shown} files`),
  /** `a.txt, b.txt and 3 more`. */
  deleteNames: (names: readonly string[], more: number, shown: string) =>
    more === 0 ? names.join(', ') : `${names.join(', ')} and ${shown} more`,
  keepFiles: (n: number): string => (n === 1 ? 'Keep file' : 'Keep files'),
  keepTooLate: (n: number, shown: string) =>
    n === 1 ? 'Too late to keep 1 file' : `Too late to keep ${shown} files`,
  keepTooLateHint: 'The request to delete was already sent.',
  kinds: {
    picture: 'Picture',
    document: 'Document',
    video: 'Video',
    audio: 'Audio',
    archive: 'Archive',
    code: 'Code',
    other: 'File',
  },
  direct: 'Dropped',
  pasted: 'Pasted',
  unknown: 'unknown',
  assumedBytesHint: 'Assumes bytes: the service hasn’t shown its unit yet.',
  reasons: rowReasons(reasonWords),
  leftOut,
  failures,
  failuresOf,
  folderRefusals,
  nearLimits,
  noticeTitles,
  noticeHints,
  time: {
    justNow: 'just now',
    ago: (span: string) => `${span} ago`,
    units: { second: 's', minute: 'min', hour: 'h', day: 'd' },
    yesterday: 'Yesterday',
    yesterdayInside: 'yesterday',
    today: 'Today',
    tomorrowAt: (clock: string) => `tomorrow at ${clock}`,
    dayAt: (day: string, clock: string) => `on ${day} at ${clock}`,
    todayAt: (clock: string) => `at ${clock}`,
  },
}
