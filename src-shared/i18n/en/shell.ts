// Texts of the shell: tray, menus, notifications, system dialogs, names of pasted files. The English
// original, whose type all other languages must match. Values come formatted: `shown` is the formatted `n`;
// `when` fits into a sentence ("at 14:03:20", "tomorrow at 00:05") or is empty.
import { namedReasons, sharedReasons } from '../reasons.ts'
import type { Widen } from '../widen.ts'
import { common } from './common.ts'
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
    pausedFinishing: (n: number, shown: string) =>
      `Paused · ${n === 1 ? '1 upload' : `${shown} uploads`} finishing`,
    /**
     * `n` and `uploading`: the number of running uploads, as a number and formatted. `open`: the number of
     * open files, formatted.
     */
    uploading: (_n: number, uploading: string, open: string) => `Uploading ${uploading} of ${open}`,
    uploadingUntil: (_n: number, uploading: string, open: string, time: string) =>
      `Uploading ${uploading} of ${open} · done around ${time}`,
    waiting: sharedReasons(reasonWords),
    filesWait: (n: number, shown: string) => `${files(n, shown)} waiting`,
    filesPaused: (n: number, shown: string) => `${files(n, shown)} paused`,
    settling: (n: number, shown: string) =>
      n === 1 ? '1 file is still being written' : `${shown} files are still being written`,
    folderAway: (name: string) => `The folder ${name} is not available`,
    folderSilent: (name: string) => `The drive of the folder ${name} isn’t responding`,
    needsYou: (n: number, shown: string) => `${files(n, shown)} ${n === 1 ? 'needs' : 'need'} attention`,
    allSafe: 'Every file accounted for',
    /** The newest link. */
    copyNewest: (name: string) => `Copy link: ${name}`,
    copyNewestAs: 'Copy this link as',
    nearLimits: common.nearLimits,
    clickToCopy: 'Click to copy a link',
    recentLinks: 'Recent links',
    copyLink: 'Copy link',
    openLink: 'Open link',
    showInFolder: 'Show in folder',
    copyLastDrop: (_n: number, shown: string) => `Copy ${shown} links of the last drop`,
    uploadFiles: 'Upload files…',
    uploadClipboard: 'Upload from clipboard',
    takeRegion: common.takeRegion,
    openShelf: common.openShelf,
    pause: 'Pause',
    pauseAfter: (n: number, shown: string) =>
      `Pause after ${n === 1 ? '1 upload' : `${shown} uploads`} in progress`,
    pauseNow: 'Pause now, stop uploads in progress',
    resume: 'Resume',
    snooze: 'Snooze notifications',
    snoozed: (when: string) => `Notifications snoozed until ${when}`,
    snoozeMinutes: (minutes: number) => `For ${minutes} minutes`,
    snoozeHours: (hours: number) => (hours === 1 ? 'For 1 hour' : `For ${hours} hours`),
    snoozeEnd: 'Turn on notifications',
    showProblems: (n: number, shown: string) => `${files(n, shown)} ${n === 1 ? 'needs' : 'need'} attention…`,
    stopped: 'Sync engine not running',
    keyUnread: 'Keychain not available',
    signedOut: 'Signed out',
    account: (name: string) => `Account: ${name}`,
    accounts: 'Accounts',
    ofAccount: (name: string, status: string) => `${name}: ${status}`,
    addAccount: 'Add account…',
    manageAccounts: 'Manage accounts…',
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
    updates: 'Check for updates…',
    settings: 'Settings…',
    commandLine: 'Install command line tool…',
    services: 'Services',
    hide: 'Hide Slipway',
    hideOthers: 'Hide others',
    showAll: 'Show all',
    quit: 'Quit Slipway',
    upload: 'Upload…',
    uploadFolder: 'Upload folder…',
    pasteUpload: 'Paste and upload',
    takeRegion: common.takeRegion,
    openShelf: common.openShelf,
    copyLink: 'Copy link',
    openLink: 'Open link',
    delete: 'Delete',
    addAccount: 'Add account…',
    manageAccounts: 'Manage accounts…',
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
    shortcuts: 'Keyboard shortcuts',
    website: common.openWebsite,
    licences: 'Licences',
  },
  undo: common.undoOf,
  linkStyles: common.linkStyles,
  notice: {
    undo: common.undo,
    copyAs: (style: string) => `Copy as ${style}`,
    /** The upload that the user undid had been sent already. `span`: when its files are deleted. */
    undoDeletes: (n: number, shown: string, span: string) => `Deleting ${files(n, shown)} in ${span}`,
    undoDeletesHint: 'Until then, you can undo this in Slipway.',
    linksReady: (n: number, shown: string) => (n === 1 ? '1 link is ready' : `${shown} links are ready`),
    needYou: (n: number, shown: string) => `${files(n, shown)} ${n === 1 ? 'needs' : 'need'} attention`,
    /** `12 uploaded, 2 need attention`. */
    mixed: (_done: number, doneShown: string, need: number, needShown: string) =>
      `${doneShown} uploaded, ${needShown} ${need === 1 ? 'needs' : 'need'} attention`,
    onClipboard: (n: number, names: string) => `${n === 1 ? 'Link' : 'Links'} copied: ${names}`,
    /** Files of a dropped folder that aren't uploaded because the user deleted their content before. */
    skipped: (n: number, shown: string) => `${files(n, shown)} ${n === 1 ? 'was' : 'were'} skipped`,
    whySkipped: (n: number): string =>
      n === 1
        ? 'You deleted its content before. Drop the file itself to upload it.'
        : 'You deleted their content before. Drop the files themselves to upload them.',
    alsoSkipped: (n: number, shown: string) =>
      n === 1
        ? '1 file was skipped because you deleted its content before. Drop the file itself to upload it.'
        : `${shown} files were skipped because you deleted their content before. Drop the files themselves to upload them.`,
    reason: (name: string, why: string) => `${name}: ${why}`,
    needs: namedReasons(reasonWords),
    /** `a.jpg, b.jpg and 10 more`. */
    andMore: (names: string, shown: string) => `${names} and ${shown} more`,
    and: (names: string, last: string) => `${names} and ${last}`,
    copyLinks: (n: number, shown: string) => (n === 1 ? 'Copy link' : `Copy ${shown} links`),
    show: 'Show',
    retry: 'Try again',
    keyRefused: { title: 'The API key was refused', body: 'Uploads wait until the service accepts a key.' },
    noApi: { title: 'Your plan doesn’t include API access', body: 'Uploads wait until it does.' },
    accountBack: { title: 'The service grants access again', body: 'Uploads resume.' },
    enterKey: 'Enter API key',
    serverAway: {
      title: 'Can’t reach the service',
      body: 'Slipway keeps trying. Uploads wait, nothing is lost.',
    },
    serverForeign: {
      title: 'Unexpected answers from the service’s address',
      body: 'Slipway keeps checking. Uploads wait, nothing is lost.',
    },
    serverUnavailable: {
      title: 'The service is unavailable',
      body: 'Slipway keeps checking. Uploads wait, nothing is lost.',
    },
    serverBack: { title: 'The service is back', body: 'Uploads resume.' },
    folderAway: {
      title: (name: string) => `The folder ${name} is not available`,
      body: 'Reconnect its disk or restore the folder. Uploads then resume automatically.',
    },
    folderSilent: {
      title: (name: string) => `The drive of the folder ${name} isn’t responding`,
      body: 'Check the drive and its connection. Uploads resume once it responds.',
    },
    /** The title of a notification if there are several accounts. */
    ofAccount: (title: string, account: string) => `${title} · ${account}`,
    firstDownload: {
      title: 'First download',
      body: (name: string) => `${name} was downloaded for the first time.`,
    },
    firstDownloads: (_n: number, shown: string) => `${shown} files were downloaded for the first time`,
  },
  quit: {
    title: (n: number, shown: string) =>
      n === 1 ? 'Quit during an upload?' : `Quit during ${shown} uploads?`,
    detail: 'Nothing is lost. Interrupted uploads start over the next time Slipway runs.',
    detailBehind: (n: number, shown: string) =>
      `Nothing is lost. Interrupted uploads start over the next time Slipway runs, followed by ${files(n, shown)} waiting.`,
    titleTrial: 'Quit and end the trial?',
    titleTrialRestart: 'Restart and end the trial?',
    detailTrial: common.trialEndText,
    ofAccount: (name: string, n: number, shown: string) =>
      `${name}: ${n === 1 ? '1 upload' : `${shown} uploads`}`,
    quit: 'Quit',
    restart: 'Restart',
    stay: 'Keep uploading',
    stayTrial: 'Keep trying',
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
    /** `name` is empty if there are several files. */
    title: (n: number, shown: string, name: string) =>
      n === 1 ? `Upload ${name}?` : `Upload ${shown} held files?`,
    publish: (n: number): string =>
      n === 1
        ? 'Anyone with the link can read this file, and links can be shared.'
        : 'Anyone with the links can read these files, and links can be shared.',
    why: (why: string) => `It ${why}.`,
    secret: (rule: string) => `It looks like a secret: ${rule}.`,
    byName: 'Its name matches the rule.',
    inside: (name: string) => `The archive contains ${name}.`,
    line: (n: number, text: string) => `Line ${n}: ${text}`,
    more: (n: number, shown: string) => (n === 1 ? 'and 1 more' : `and ${shown} more`),
    confirm: 'Upload anyway',
    cancel: 'Keep held',
  },
  changed: {
    title: (n: number, shown: string, name: string) =>
      n === 1 ? `${name} has changed. Upload it?` : `${shown} files have changed. Upload them?`,
    detail:
      'An earlier link opens the version from before the change. If you replace a version, its link stops working once it hasn’t been downloaded for an hour.',
    newLink: 'Upload with a new link',
    replace: 'Replace',
    keep: 'Don’t upload',
    cancel: 'Decide later',
  },
  guard: {
    title: 'Hold fewer files?',
    allow: (patterns: string) => `No longer checked for secrets: ${patterns}`,
    hold: (patterns: string) => `No longer held: ${patterns}`,
    detail: 'Matching files can then be uploaded without your approval.',
    confirm: 'Change patterns',
    cancel: 'Keep patterns',
  },
  rules: {
    title: (folder: string) => `Ignore fewer files in ${folder}?`,
    removed: (patterns: string) => `Removed: ${patterns}`,
    added: (patterns: string) => `Added: ${patterns}`,
    limits: 'Larger files or other types are allowed.',
    detail: 'Files that are no longer ignored are uploaded, and anyone with their link can open them.',
    confirm: 'Change rules',
    cancel: 'Keep rules',
  },
  move: {
    title: (host: string) => `Upload to ${host} from now on?`,
    /** `isRunning`: whether uploads to `from` go on. */
    detail: (from: string, to: string, isRunning: boolean) =>
      [
        isRunning ? `Slipway currently uploads to ${from}.` : `Nothing is uploaded to ${from} at the moment.`,
        `After the switch, new uploads go to ${to}.`,
        `Links and waiting files stay with ${from}${isRunning ? ', which continues in the background' : ''}.`,
        'You can switch back at any time.',
      ].join(' '),
    confirm: { service: 'Switch service', account: 'Switch account' },
    cancel: (host: string) => `Stay with ${host}`,
  },
  connect: {
    title: (host: string) => `Check this API key with ${host}?`,
    detail: (from: string, to: string) =>
      `Slipway uploads to ${from}. The key that was entered in the window is sent to ${to}.`,
    confirm: 'Check key',
  },
  signOut: {
    title: (name: string) => `Sign out of ${name}?`,
    detail:
      'The API key is removed from this computer. Uploads wait until you enter it again. Files, links and watched folders stay.',
    /** The key in use comes from the environment, and another one is stored. */
    stored:
      'The API key is removed from the keychain. The environment variable SLIPWAY_API_KEY still provides a key, which Slipway continues to use.',
    confirm: 'Sign out',
  },
  trialEnd: {
    title: 'End the trial?',
    detail: common.trialEndText,
    confirm: 'End trial',
    cancel: 'Keep trying',
  },
  trialFiles: {
    title: (n: number, shown: string) => `Upload ${files(n, shown)} of the trial once you’re connected?`,
    detail: 'Their links then work everywhere. Until then, the first screen lists them and can discard them.',
    leave: 'Leave out',
    take: 'Upload',
    cancel: 'Keep trying',
  },
  discard: {
    title: (n: number, shown: string) => `Discard ${files(n, shown)}?`,
    detail: 'Pasted content is deleted for good. Dropped files stay where they are, but aren’t uploaded.',
    confirm: 'Discard',
    cancel: 'Keep',
  },
  watch: {
    title: (folder: string) => `Watch ${folder}?`,
    detail: 'Files you save there are uploaded, and anyone with their link can open them.',
    existing: 'The files that are already there are uploaded, too.',
    ignored: (patterns: string) => `Ignored: ${patterns}`,
    confirm: 'Watch folder',
  },
  replace: {
    title: (folder: string) => `Replace changed files in ${folder}?`,
    detail:
      'When a file changes, its previous version is deleted from the service once it hasn’t been downloaded for an hour. The previous link then stops working.',
    confirm: 'Replace files',
    cancel: 'Keep links',
  },
  changes: {
    title: (folder: string) => `Upload changed files in ${folder} without asking?`,
    detail: 'Each new version of a file is uploaded with a new link, which anyone who has it can open.',
    confirm: 'Upload changes',
    cancel: 'Keep setting',
  },
  grace: {
    title: (folder: string) => `Upload new files in ${folder} sooner?`,
    detail: (before: string, n: number, shown: string) =>
      n === 0
        ? `They no longer wait ${before} seconds, so their upload can’t be cancelled beforehand.`
        : `They wait ${shown} seconds instead of ${before}, so there is less time to cancel their upload.`,
    confirm: 'Upload sooner',
    cancel: 'Keep waiting time',
  },
  after: {
    title: (folder: string) => `Move files out of ${folder} after their upload?`,
    toBin: 'Each file moves to the bin once it’s uploaded.',
    to: (target: string) => `Each file moves to ${target} once it’s uploaded.`,
    detail: 'Their links keep working. This applies to files uploaded from now on.',
    confirm: 'Move files',
    cancel: 'Keep files',
  },
  drop: {
    title: (n: number, shown: string) => (n === 1 ? 'Upload this item?' : `Upload these ${shown} items?`),
    detail: (n: number): string =>
      n === 1
        ? 'It belongs to the system or a program, is hidden, or contains your whole home folder. Anyone with the link can open it.'
        : 'They belong to the system or to programs, are hidden, or contain your whole home folder. Anyone with the links can open them.',
    confirm: 'Upload',
  },
  many: {
    detail:
      'In which order should they be uploaded? “I’ll wait” adds them paused. Start them with Resume in Transfers.',
    orders: { newest: 'Newest first', smallest: 'Smallest first', name: 'By name' },
    wait: 'I’ll wait',
    waits: '“I’ll wait” adds it paused. Start it with Resume in Transfers.',
  },
  proxy: {
    title: (proxy: string) => `Send all requests through ${proxy}?`,
    detail: 'The proxy learns which addresses Slipway connects to, and can read what isn’t encrypted.',
    confirm: 'Use proxy',
    cancel: 'Keep setting',
  },
  template: {
    title: 'Copy links in this format?',
    detail: 'In a terminal, pasting it could run a command.',
    confirm: 'Use format',
    cancel: 'Keep format',
  },
  noUpdateChecks: {
    title: 'Stop checking for new versions?',
    detail: 'New versions can fix security problems.',
    confirm: 'Stop checking',
    cancel: 'Keep checking',
  },
  cancel: common.cancel,
  /**
   * An entry in the menus of file managers. For Nautilus, it is the name of a script file, so it must be a
   * valid file name.
   */
  uploadAndCopyLink: 'Upload and copy link',
  commandLine: {
    linked: {
      title: 'The command line tool is installed',
      hint: 'In a new terminal window, enter slipway help.',
    },
    'not-installed': {
      title: 'Couldn’t install the command line tool',
      hint: 'Move Slipway to the Applications folder and open it from there.',
    },
    taken: {
      title: 'Couldn’t install the command line tool',
      hint: 'Another program is named /usr/local/bin/slipway. Rename it, then try again.',
    },
    refused: {
      title: 'Couldn’t install the command line tool',
      hint: 'Only administrators can add it to /usr/local/bin.',
    },
  },
  folders: {
    title: (n: number, shown: string, from: string) =>
      n === 1
        ? `What happens to the watched folder of ${from}?`
        : `What happens to the ${shown} watched folders of ${from}?`,
    /** `isRunning`: see `move`. */
    keep: (n: number, from: string, isRunning: boolean) =>
      isRunning
        ? `Keep: ${from} continues to watch ${n === 1 ? 'it' : 'them'} in the background.`
        : `Keep: ${from} continues to watch ${n === 1 ? 'it' : 'them'}, but uploads nothing at the moment.`,
    /** `n`: the number of files that are uploaded again; null if unknown. */
    move: (to: string, host: string, n: number | null, shown: string) => {
      const again =
        n === 0
          ? 'Existing files aren’t uploaded again.'
          : n === null
            ? `The files are new there: they’re uploaded to ${host} again and get another link.`
            : n === 1
              ? `The file is new there: it’s uploaded to ${host} again and gets another link.`
              : `The files are new there: up to ${shown} are uploaded to ${host} again and get another link.`
      return `Move: ${to} watches from now on. ${again} Existing links keep working.`
    },
    /**
     * Follows `move`. `n`: the number of files waiting in folders whose existing files aren't uploaded again;
     * null if unknown.
     */
    moveWaiting: (host: string, n: number | null, shown: string) =>
      n === null
        ? `Files still waiting are uploaded to ${host}.`
        : n === 1
          ? `The file still waiting is uploaded to ${host}.`
          : `${shown} files still waiting are uploaded to ${host}.`,
    stop: 'Stop: uploaded files and their links stay. Files still waiting aren’t uploaded.',
    keepDo: (from: string) => `Keep with ${from}`,
    moveDo: (to: string) => `Move to ${to}`,
    stopDo: 'Stop watching',
    cancel: 'Cancel',
  },
  removal: {
    title: (name: string) => `Remove ${name} from this computer?`,
    goes: 'Its API key and its list of uploads are deleted from this computer.',
    folders: (n: number, shown: string) =>
      n === 1 ? '1 folder is no longer watched.' : `${shown} folders are no longer watched.`,
    open: (n: number, shown: string) =>
      n === 1 ? '1 waiting file isn’t uploaded.' : `${shown} waiting files aren’t uploaded.`,
    deletions: (n: number, shown: string) =>
      n === 1
        ? '1 file that you deleted is still on the service, and stays there.'
        : `${shown} files that you deleted are still on the service, and stay there.`,
    /**
     * Counts items that were pasted into Slipway or piped to its command line. Slipway has the only copy of
     * them.
     */
    pastes: (n: number, shown: string) =>
      n === 1
        ? '1 pasted or piped item that wasn’t uploaded is deleted for good.'
        : `${shown} pasted or piped items that weren’t uploaded are deleted for good.`,
    stays: 'Files on the service, their links and the originals on this computer stay.',
    othersStay: 'Files on the service, their links and all other originals on this computer stay.',
    confirm: 'Remove account',
    cancel: 'Keep account',
  },
  internalError: {
    title: 'Slipway has run into an internal error.',
    detail: (log: string) =>
      `Uploads continue. If the window doesn’t respond, quit Slipway and start it again. The details are in the log:\n${log}`,
  },
  noSandbox: {
    title: 'Slipway is running without Chromium’s sandbox.',
    hint: 'This system doesn’t let the AppImage use it, or it was switched off. Install the .deb package to run with the sandbox.',
  },
  silentBus: {
    title: 'The desktop’s session bus doesn’t respond.',
    hint: 'Slipway runs without tray, notifications and keychain. Log in to the desktop again, then start Slipway.',
  },
  missingFile: {
    title: (path: string) => `${path} does not exist`,
    hint: 'Nothing was uploaded.',
  },
  trialEnded: {
    title: 'The trial has ended.',
    hint: 'Its service stopped unexpectedly. Connect an account, or try again.',
  },
  updates: {
    found: {
      title: (version: string) => `Slipway ${version} is available.`,
      hint: 'Settings → About says what’s new and installs it.',
    },
    updated: {
      title: (version: string) => `Slipway was updated to ${version}.`,
      hint: 'Waiting uploads continue.',
    },
    replaced: {
      title: 'A new version of Slipway was installed.',
      hint: 'To use it, quit Slipway and start it again.',
    },
    goBack: {
      title: (version: string) => `Slipway ${version} quit unexpectedly after the update.`,
      detail: (from: string) =>
        `You can go back to version ${from}. Files, links and settings stay as they are.`,
      confirm: (from: string) => `Go back to ${from}`,
      cancel: 'Keep new version',
    },
  },
  autostartFailed: {
    title: 'Couldn’t change “Open at login”.',
    hint: 'Check free space and permissions, then change the setting again.',
  },
  settingsAside: {
    title: 'Couldn’t read the settings.',
    hint: 'Slipway uses the defaults and kept the old file in the data folder. Connect again to set the address.',
  },
  paste: {
    names: common.pasteNames,
    title: 'Upload the copied text as a file?',
    titleDropped: 'Upload the dropped text as a file?',
    detail: (name: string) => `It becomes “${name}”. Anyone with its link can read it.`,
    confirm: 'Upload',
    cancel: 'Cancel',
    dontAsk: 'Don’t ask again',
  },
}

export type ShellTexts = Widen<typeof shell>
