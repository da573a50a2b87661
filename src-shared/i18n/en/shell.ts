// Texts of the shell: tray, menus, notifications, system dialogs, names of pasted files. English is the original; the other languages are typed
// after it. Values come in formatted: `shown` is `n`, `when` reads inside a sentence ("at 14:03:20", "tomorrow at 00:05") or is empty.
import { namedReasons, sharedReasons } from '../reasons.ts'
import type { Widen } from '../widen.ts'
import { reasonWords } from './reasons.ts'

const files = (n: number, shown: string): string => (n === 1 ? '1 file' : `${shown} files`)

export const shell = {
  tray: {
    tooltip: (status: string) => `Slipway · ${status}`,
    starting: 'Starting',
    notConnected: 'Not connected',
    keyRefused: 'API key refused',
    noApi: 'No API access',
    paused: 'Paused',
    pausedOpen: (n: number, shown: string) => `Paused · ${files(n, shown)} waiting`,
    uploading: (uploading: string, open: string) => `Uploading ${uploading} of ${open}`,
    uploadingUntil: (uploading: string, open: string, time: string) => `Uploading ${uploading} of ${open} · done around ${time}`,
    waiting: sharedReasons(reasonWords),
    filesWait: (n: number, shown: string) => `${files(n, shown)} waiting`,
    settling: (n: number, shown: string) => (n === 1 ? '1 file is still being written' : `${shown} files are still being written`),
    folderAway: (name: string) => `The folder ${name} is not available`,
    needsYou: (n: number, shown: string) => `${files(n, shown)} ${n === 1 ? 'needs' : 'need'} attention`,
    allSafe: 'Every file accounted for',
    clickToCopy: 'Click to copy a link',
    recentLinks: 'Recent links',
    copyLink: 'Copy link',
    openLink: 'Open link',
    showInFolder: 'Show in folder',
    copyLastDrop: (_n: number, shown: string) => `Copy ${shown} links of the last drop`,
    uploadFiles: 'Upload files…',
    uploadClipboard: 'Upload from clipboard',
    pause: 'Pause',
    resume: 'Resume',
    snooze: 'Snooze notifications',
    snoozed: (when: string) => `Notifications snoozed until ${when}`,
    snoozeMinutes: (minutes: number) => `For ${minutes} minutes`,
    snoozeHours: (hours: number) => (hours === 1 ? 'For 1 hour' : `For ${hours} hours`),
    snoozeEnd: 'Turn on notifications',
    showProblems: (n: number, shown: string) => `${files(n, shown)} ${n === 1 ? 'needs' : 'need'} attention…`,
    open: 'Open Slipway',
    quit: 'Quit',
  },
  menu: {
    file: '&File',
    edit: '&Edit',
    view: '&View',
    window: '&Window',
    help: '&Help',
    about: 'About Slipway',
    settings: 'Settings…',
    services: 'Services',
    hide: 'Hide Slipway',
    hideOthers: 'Hide others',
    showAll: 'Show all',
    quit: 'Quit Slipway',
    upload: 'Upload…',
    uploadFolder: 'Upload folder…',
    pasteUpload: 'Paste and upload',
    copyLink: 'Copy link',
    delete: 'Delete',
    close: 'Close window',
    undo: 'Undo',
    redo: 'Redo',
    cut: 'Cut',
    copy: 'Copy',
    paste: 'Paste',
    selectAll: 'Select all',
    selectAllFiles: 'Select all files',
    find: 'Find',
    files: 'Files',
    transfers: 'Transfers',
    usage: 'Usage',
    settingsView: 'Settings',
    details: 'Details',
    palette: 'Command palette',
    refresh: 'Refresh',
    actualSize: 'Actual size',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    fullScreen: 'Full screen',
    minimize: 'Minimize',
    zoom: 'Zoom',
    front: 'Bring all to front',
    log: 'Show log file',
    data: 'Show data folder',
    website: 'Open service website',
    licences: 'Licences',
  },
  notice: {
    linksReady: (n: number, shown: string) => (n === 1 ? '1 link is ready' : `${shown} links are ready`),
    needYou: (n: number, shown: string) => `${files(n, shown)} ${n === 1 ? 'needs' : 'need'} attention`,
    /** `12 uploaded, 2 need attention`. */
    mixed: (_done: number, doneShown: string, need: number, needShown: string) =>
      `${doneShown} uploaded, ${needShown} ${need === 1 ? 'needs' : 'need'} attention`,
    onClipboard: (n: number, names: string) => `${n === 1 ? 'Link' : 'Links'} copied: ${names}`,
    reason: (name: string, why: string) => `${name}: ${why}`,
    needs: namedReasons(reasonWords),
    /** `a.jpg, b.jpg and 10 more`. */
    andMore: (names: string, shown: string) => `${names} and ${shown} more`,
    and: (names: string, last: string) => `${names} and ${last}`,
    copyLinks: (n: number, shown: string) => (n === 1 ? 'Copy link' : `Copy ${shown} links`),
    show: 'Show',
    retry: 'Try again',
    keyRefused: { title: 'The service refused the API key', body: 'Uploads wait until you enter a new key.' },
    noApi: { title: 'Your plan doesn’t include API access', body: 'Uploads wait until it does.' },
    accountBack: { title: 'The API key works again', body: 'Uploads resume.' },
    enterKey: 'Enter API key',
    serverAway: { title: 'Can’t reach the service', body: 'Slipway keeps trying. Uploads wait, nothing is lost.' },
    serverBack: { title: 'The service is back', body: 'Uploads resume.' },
    folderAway: {
      title: (name: string) => `The folder ${name} is not available`,
      body: 'Reconnect its disk or restore the folder. Uploads then resume automatically.',
    },
    firstDownload: { title: 'First download', body: (name: string) => `${name} was downloaded for the first time.` },
    firstDownloads: (_n: number, shown: string) => `${shown} files were downloaded for the first time`,
  },
  quit: {
    title: (n: number, shown: string) => (n === 1 ? 'Quit during an upload?' : `Quit during ${shown} uploads?`),
    detail: 'Nothing is lost. Interrupted uploads start over the next time Slipway runs.',
    detailBehind: (n: number, shown: string) =>
      `Nothing is lost. Interrupted uploads start over the next time Slipway runs, followed by ${files(n, shown)} waiting.`,
    quit: 'Quit',
    stay: 'Keep uploading',
  },
  deletion: {
    title: (n: number, shown: string) => (n === 1 ? 'Delete 1 file?' : `Delete ${shown} files?`),
    detail: (n: number): string =>
      n === 1
        ? 'Its link stops working. The original on this computer stays.'
        : 'Their links stop working. The originals on this computer stay.',
    confirm: (n: number, shown: string) => (n === 1 ? 'Delete file' : `Delete ${shown} files`),
    cancel: (n: number): string => (n === 1 ? 'Keep file' : 'Keep files'),
  },
  release: {
    /** `name` is empty for several files. */
    title: (n: number, shown: string, name: string) => (n === 1 ? `Upload ${name}?` : `Upload ${shown} held files?`),
    publish: (n: number): string =>
      n === 1
        ? 'Anyone with the link can read this file, and links can be shared.'
        : 'Anyone with the links can read these files, and links can be shared.',
    why: (name: string, why: string) => `${name}: ${why}`,
    secret: (name: string, rule: string) => `${name}: looks like a secret (${rule})`,
    more: (n: number, shown: string) => (n === 1 ? 'and 1 more' : `and ${shown} more`),
    confirm: 'Upload anyway',
    cancel: 'Don’t upload',
  },
  guard: {
    title: 'Hold fewer files?',
    allow: (patterns: string) => `No longer checked for secrets: ${patterns}`,
    hold: (patterns: string) => `No longer held: ${patterns}`,
    detail: 'Matching files can then be uploaded without your approval.',
    confirm: 'Change patterns',
    cancel: 'Keep patterns',
  },
  move: {
    title: (host: string) => `Upload to ${host} from now on?`,
    detail: (from: string, to: string) =>
      `Slipway currently uploads to ${from}. After the switch, waiting files and everything new in your watched folders go to ${to}.`,
    confirm: 'Switch service',
    cancel: (host: string) => `Stay with ${host}`,
  },
  missingFile: {
    title: (path: string) => `${path} does not exist`,
    hint: 'Nothing was uploaded.',
  },
  settingsAside: {
    title: 'Couldn’t read the settings.',
    hint: 'Slipway uses the defaults and kept the old file in the data folder. Connect again to set the address.',
  },
  paste: {
    /** File names without an extension. Date and time contain only characters that file names allow. */
    picture: (date: string, time: string) => `Picture ${date} at ${time}`,
    text: (date: string, time: string) => `Text ${date} at ${time}`,
  },
}

export type ShellTexts = Widen<typeof shell>
