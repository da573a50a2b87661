// The names that programs give files which aren't finished, as their documentation states them, and the
// control files that some keep beside a file that already has its final name. One table: names are left out
// by the default rules (ignore-rules.ts), and a file with a control file isn't uploaded until that is gone
// (find/settle.ts). Pure.

interface Unfinished {
  readonly program: string
  /** gitignore patterns of names that only unfinished files have. */
  readonly names?: readonly string[]
  /** Suffixes of the control file beside a file that is being downloaded under its final name. */
  readonly controls?: readonly string[]
}

/** Before a download's final name is known, these browsers name it after themselves. */
const CHROMIUM = [
  'com.google.Chrome',
  'org.chromium.Chromium',
  'com.microsoft.Edge',
  'com.brave.Browser',
  'com.operasoftware.Opera',
  'com.vivaldi.Vivaldi',
] as const

const ANY = '[A-Za-z0-9]'
/**
 * rsync writes `.NAME.XXXXXX`, with six random letters and digits. A name counts only if capitals or digits
 * are mixed in after the first character, because a pattern doesn't know what is random, and a directory
 * never counts. These patterns heed letter case.
 */
export const RSYNC_NAMES = [
  ...[1, 2, 3, 4, 5].map((at) => `.?*.${ANY.repeat(at)}[A-Z0-9]${ANY.repeat(5 - at)}`),
  `!.*.${'[0-9]'.repeat(6)}`,
  `!.*.${'[A-Z]'.repeat(6)}`,
  '!.*.??????/',
]

const DOWNLOADS: readonly Unfinished[] = [
  {
    program: 'Firefox, KDE, wxDownload, JDownloader, eMule, Transmission, yt-dlp',
    names: ['*.part', '.*.part'],
  },
  {
    program: 'Chrome and its relatives',
    names: ['*.crdownload', ...CHROMIUM.map((product) => `.${product}.*`)],
  },
  { program: 'pages that save files in Chrome', names: ['*.crswap'] },
  { program: 'Safari', names: ['*.download'] },
  { program: 'Opera', names: ['*.opdownload'] },
  { program: 'GNOME Web', names: ['*.wkdownload'] },
  { program: 'Internet Explorer, rclone, OneDrive for Linux, Shareaza', names: ['*.partial'] },
  { program: 'aria2, Motrix, Persepolis, uGet', names: ['*.aria2', '*.aria2__temp'], controls: ['.aria2'] },
  { program: 'axel', controls: ['.st'] },
  { program: 'lftp', names: ['*.lftp-pget-status', '.in.*'], controls: ['.lftp-pget-status'] },
  { program: 'yt-dlp', names: ['*.ytdl', '*.part-Frag[0-9]*'], controls: ['.ytdl'] },
  { program: 'eMule', names: ['*.part.met', '*.part.met.bak'] },
  { program: 'µTorrent, BitTorrent', names: ['*.!ut', '*.!bt', '~uTorrentPartFile_*'] },
  { program: 'qBittorrent, Deluge', names: ['*.!qB', '.*.parts'] },
  { program: 'BitComet, FlashGet, Vuze, Orbit', names: ['*.bc!', '*.jc!', '*.az!', '*.ob!'] },
  { program: 'Resilio Sync', names: ['*.!sync', '*.SyncPart', '*.SyncTemp'] },
  { program: 'DC++', names: ['*.dctmp', '*.antifrag'] },
  { program: 'Soulseek', names: ['*.incomplete'] },
  { program: 'Free Download Manager', names: ['*.fdmdownload'] },
  { program: 'DownThemAll', names: ['*.dtapart'] },
  { program: 'GetRight', names: ['*.getright'] },
  { program: 'Xunlei', names: ['*.xltd', '*.xltd.cfg', '*.td.cfg'] },
  { program: 'Baidu, 360', names: ['*.downloading'] },
  { program: 'MEGA', names: ['.getxfer.*.mega', '.megatmp.*'] },
  { program: 'ownCloud, Nextcloud', names: ['.*.~[0-9a-f]*'] },
  { program: 'iCloud', names: ['.*.icloud'] },
  { program: 'rsync', names: RSYNC_NAMES },
  { program: 'WinSCP', names: ['*.filepart'] },
  { program: 'Cyberduck', names: ['*.cyberducksegment*'] },
  { program: 'AzCopy, gsutil', names: ['.azDownload-*', '*_.gstmp'] },
  { program: 'SABnzbd', names: ['_UNPACK_*/'] },
  { program: 'Steam', names: ['**/steamapps/downloading/', '**/steamapps/temp/'] },
  { program: 'Android', names: ['.pending-[0-9]*-*'] },
]

/**
 * Locks that editors and office programs keep while a document is open, and what they write before they
 * replace it.
 */
const DOCUMENTS: readonly Unfinished[] = [
  { program: 'Microsoft Office', names: ['~$*', '*.laccdb', '*.onetmp'] },
  { program: 'LibreOffice', names: ['.~lock.*#'] },
  { program: 'InDesign', names: ['*.idlk'] },
  { program: 'AutoCAD', names: ['*.dwl', '*.dwl[0-9]'] },
  { program: 'GnuCash, MATLAB and others', names: ['*.lck', '*.ldb-lock'] },
  { program: 'macOS', names: ['(A Document Being Saved By *)', '*.sb-????????-??????'] },
]

const namesOf = (table: readonly Unfinished[]): readonly string[] => table.flatMap(({ names = [] }) => names)

export const DOWNLOAD_NAMES = namesOf(DOWNLOADS)
export const DOCUMENT_NAMES = namesOf(DOCUMENTS)

/** The extensions of unfinished downloads, in lower case, with the dot. */
export const DOWNLOAD_EXTENSIONS = DOWNLOAD_NAMES.flatMap(
  (name) => /^\*(\.[^*?[]+)$/.exec(name)?.[1]?.toLowerCase() ?? [],
)

/** Whether a browser gave a file this name because it doesn't know the final one yet. */
export function isNameless(name: string): boolean {
  return (
    /^unconfirmed \d+$/i.test(name) ||
    CHROMIUM.some((product) => name.toLowerCase().startsWith(`.${product.toLowerCase()}.`))
  )
}

const CONTROLS = DOWNLOADS.flatMap(({ controls = [] }) => controls)

/**
 * The names beside which the file `name` isn't finished: its control files, and if it is named like a control
 * file itself, the file that it would belong to.
 */
export function controlsOf(name: string): readonly string[] {
  const own = CONTROLS.flatMap((control) =>
    name.endsWith(control) && name.length > control.length ? [name.slice(0, -control.length)] : [],
  )
  return [...CONTROLS.map((control) => name + control), ...own]
}

/** Whether a directory with these names, each followed by '/', may contain a control file. */
export function mayHaveControls(names: string): boolean {
  return CONTROLS.some((control) => names.includes(`${control}/`))
}
