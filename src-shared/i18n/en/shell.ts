// Words of the shell: tray, menus, notifications, quitting, names of what is pasted. English is the original; other languages are bound to it by type.
// Values come in as they are to be shown: `shown` is `n` formatted, `when` reads inside a sentence ("at 14:03:20", "tomorrow at 00:05") or is ''.
import { namedReasons, sharedReasons } from '../reasons.ts'
import type { Widen } from '../widen.ts'
import { reasonWords } from './reasons.ts'

const files = (n: number, shown: string): string => (n === 1 ? '1 file' : `${shown} files`)

export const shell = {
  tray: {
    tooltip: (status: string) => `Slipway · ${status}`,
    starting: 'Starting',
    notConnected: 'Not connected',
    keyRefused: 'The key was refused',
    noApi: 'The plan has no API',
    paused: 'Paused',
    pausedOpen: (n: number, shown: string) => `Paused · ${files(n, shown)} ${n === 1 ? 'waits' : 'wait'}`,
    uploading: (uploading: string, open: string) => `Uploading ${uploading} of ${open}`,
    uploadingUntil: (uploading: string, open: string, time: string) => `Uploading ${uploading} of ${open} · done about ${time}`,
    waiting: sharedReasons(reasonWords),
    filesWait: (n: number, shown: string) => `${files(n, shown)} ${n === 1 ? 'waits' : 'wait'}`,
    settling: (n: number, shown: string) => (n === 1 ? '1 file is still being written' : `${shown} files are still being written`),
    folderAway: (name: string) => `The folder ${name} is not there`,
    needsYou: (n: number, shown: string) => `${files(n, shown)} ${n === 1 ? 'needs' : 'need'} you`,
    allSafe: 'Every file accounted for',
    clickToCopy: 'Click to copy the link',
    recentLinks: 'Recent links',
    copyLink: 'Copy link',
    openLink: 'Open link',
    showInFolder: 'Show in folder',
    copyLastDrop: (_n: number, shown: string) => `Copy the ${shown} links of the last drop`,
    uploadFiles: 'Upload files…',
    uploadClipboard: 'Upload what is on the clipboard',
    pause: 'Pause',
    resume: 'Resume',
    snooze: 'Snooze notifications',
    snoozed: (when: string) => `Notifications snoozed until ${when}`,
    snoozeMinutes: (minutes: number) => `For ${minutes} minutes`,
    snoozeHours: (hours: number) => (hours === 1 ? 'For 1 hour' : `For ${hours} hours`),
    snoozeEnd: 'Turn on notifications',
    showProblems: (n: number, shown: string) => `${files(n, shown)} ${n === 1 ? 'needs' : 'need'} you…`,
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
    website: 'Open the website of the service',
    licences: 'Licences',
  },
  notice: {
    linksReady: (n: number, shown: string) => (n === 1 ? '1 link is ready' : `${shown} links are ready`),
    needYou: (n: number, shown: string) => `${files(n, shown)} ${n === 1 ? 'needs' : 'need'} you`,
    /** `12 uploaded, 2 need you`. */
    mixed: (_done: number, doneShown: string, need: number, needShown: string) =>
      `${doneShown} uploaded, ${needShown} ${need === 1 ? 'needs' : 'need'} you`,
    onClipboard: (n: number, names: string) => `${n === 1 ? 'The link is' : 'The links are'} on the clipboard: ${names}`,
    reason: (name: string, why: string) => `${name}: ${why}`,
    needs: namedReasons(reasonWords),
    /** `a.jpg, b.jpg and 10 more`. */
    andMore: (names: string, shown: string) => `${names} and ${shown} more`,
    and: (names: string, last: string) => `${names} and ${last}`,
    copyLinks: (n: number, shown: string) => (n === 1 ? 'Copy link' : `Copy ${shown} links`),
    show: 'Show',
    retry: 'Retry',
    keyRefused: { title: 'The key was refused', body: 'Nothing is sent until you enter a new one. Your uploads wait.' },
    noApi: { title: 'The plan has no API', body: 'Your uploads wait until the plan has one.' },
    accountBack: { title: 'The key works again', body: 'Your uploads go on.' },
    enterKey: 'Enter a key',
    serverAway: { title: 'The service does not answer', body: 'Slipway keeps trying. Your uploads wait, nothing is lost.' },
    serverBack: { title: 'The service answers again', body: 'Your uploads go on.' },
    folderAway: {
      title: (name: string) => `The folder ${name} is not there`,
      body: 'Connect its disk, or bring it back. Slipway goes on by itself then.',
    },
    firstDownload: { title: 'First download', body: (name: string) => `${name} was downloaded for the first time.` },
    firstDownloads: (_n: number, shown: string) => `${shown} files were downloaded for the first time`,
  },
  quit: {
    title: (n: number, shown: string) => (n === 1 ? '1 file is on its way' : `${shown} files are on their way`),
    detail: 'Nothing is lost: what is on its way goes out again the next time Slipway runs.',
    detailBehind: (n: number, shown: string) =>
      `Nothing is lost: what is on its way goes out again the next time Slipway runs, and ${n === 1 ? 'the file' : `the ${shown} files`} behind it too.`,
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
    /** The name is empty for several files. */
    title: (n: number, shown: string, name: string) => (n === 1 ? `Upload ${name}?` : `Upload ${shown} held files?`),
    publish: (n: number): string =>
      n === 1
        ? 'Anyone with the link can read this file, and links can be passed on.'
        : 'Anyone with the links can read these files, and links can be passed on.',
    why: (name: string, why: string) => `${name}: ${why}`,
    secret: (name: string, rule: string) => `${name}: looks like a secret (${rule})`,
    more: (n: number, shown: string) => (n === 1 ? 'and 1 more' : `and ${shown} more`),
    confirm: 'Upload anyway',
    cancel: 'Don’t upload',
  },
  guard: {
    title: 'Hold back fewer files?',
    allow: (patterns: string) => `No longer checked for secrets: ${patterns}`,
    hold: (patterns: string) => `No longer held: ${patterns}`,
    detail: 'Files that match can then be uploaded without a question.',
    confirm: 'Change rules',
    cancel: 'Keep rules',
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
    title: 'The settings could not be read.',
    hint: 'They were set aside in the data folder, and the defaults hold. Connect once more to set the address.',
  },
  paste: {
    /** Names without their extension; date and time hold nothing that a file name can't. */
    picture: (date: string, time: string) => `Picture ${date} at ${time}`,
    text: (date: string, time: string) => `Text ${date} at ${time}`,
  },
}

export type ShellTexts = Widen<typeof shell>
