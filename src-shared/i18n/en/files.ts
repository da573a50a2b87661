// Texts of the files view.
// The English original, whose type all other languages must match.
import type { WaitReason } from '../../model.ts'
import { countedReason } from '../reasons.ts'
import { reasonWords } from './reasons.ts'

export const files = {
  title: 'Files',
  detail: (count: string, bytes: string) => (bytes === '' ? count : `${count} · ${bytes}`),
  found: (n: number, shown: string) => (n === 1 ? '1 match' : `${shown} matches`),
  /** `n`: the total number of files or, while that is unknown, the number read so far. */
  reading: (n: number, read: string, total: string) => {
    const ofFiles = n === 1 ? 'file' : 'files'
    return total === '' ? `${read} ${ofFiles} read so far` : `${read} of ${total} ${ofFiles} read`
  },
  searchHint: 'Search names, folders, links',
  clearFolder: (name: string) => `Only files of ${name}. Show all files`,
  filters: 'Filters',
  filter: {
    all: 'All',
    picture: 'Pictures',
    document: 'Documents',
    video: 'Video',
    audio: 'Audio',
    archive: 'Archives',
    code: 'Code',
    unopened: 'No downloads',
  },
  date: 'Upload date',
  dates: {
    any: 'Any time',
    today: 'Today',
    week: 'Last 7 days',
    month: 'Last 30 days',
    range: 'Date range',
  },
  dateEnds: { from: 'From', to: 'To' },
  columns: { name: 'Name', size: 'Size', date: 'Uploaded', downloads: 'Downloads', link: 'Link' },
  list: 'Remote files',
  newAbove: (_n: number, shown: string) => `${shown} new`,
  deletingRow: 'Deleting',
  loadingRow: 'Loading',
  strip: 'Current uploads',
  uploading: (n: number, shown: string) => (n === 1 ? '1 uploading' : `${shown} uploading`),
  /** `19 waiting for the rate limit, resumes at 14:03:20`. */
  goUp: (n: number, shown: string, span: string) =>
    n === 1 ? `1 new file goes up in ${span}` : `${shown} new files, the next goes up in ${span}`,
  waits: (n: number, shown: string, reason: WaitReason, when: string) =>
    countedReason(reasonWords, { n, shown }, reason, when),
  doneAbout: (time: string) => `done around ${time}`,
  sentOf: (sent: string, size: string) => `${sent} of ${size}`,
  moreLive: (n: number, shown: string) => (n === 1 ? 'and 1 more' : `and ${shown} more`),
  elsewhere: 'Other device',
  originalGone: 'original missing, link works',
  emptyTitle: 'Your links will appear here',
  emptyHint:
    'Drop a file anywhere in this window, or save one in a watched folder. You get its link as soon as it’s uploaded.',
  nothingTitle: 'No results',
  nothingHint: 'No name, folder or link matches. Try a shorter search or another filter.',
  showAll: 'Show all files',
  notReadTitle: 'Not found yet',
  notReadHint: (read: string) => `The list isn’t complete: ${read}. What is still missing may match.`,
  notUploadedTitle: 'Not uploaded yet',
  notUploadedHint: 'No uploaded file matches, but one in Transfers does.',
  openMatches: (n: number, shown: string) =>
    n === 1 ? '1 match in Transfers' : `${shown} matches in Transfers`,
  showOpen: 'Show in Transfers',
  asOf: (ago: string) => `as of ${ago}`,
  loadFailed: 'Couldn’t load the list.',
  selected: (n: number, shown: string) => (n === 1 ? '1 file selected' : `${shown} files selected`),
  inspector: 'Details',
  closeInspector: 'Close details',
  uploadedAgo: (bytes: string, ago: string) =>
    bytes === '' ? `uploaded ${ago}` : `${bytes} · uploaded ${ago}`,
  linkLabel: 'Public link',
  linkFormat: 'Link format',
  noLink: 'Link not available yet.',
  downloads: 'Downloads',
  downloadsIn: (_n: number, shown: string) => `${shown} in 7 days`,
  downloadsTotal: (n: number, shown: string) => (n === 1 ? '1 download' : `${shown} downloads`),
  downloadsUnknown: 'Not known yet',
  downloadsPlot: (words: string) => `Downloads in the last 7 days: ${words}`,
  from: 'From',
  original: 'Original',
  originalSame: 'unchanged',
  originalChanged: 'changed since the upload',
  originalGoneShort: 'moved or deleted',
  originalMoved: (path: string) => `moved to ${path}`,
  originalInBin: 'in the bin',
  fileId: 'File ID',
  uploaded: 'Uploaded',
  type: 'Type',
  size: 'Size',
  fingerprint: 'SHA-256',
  stale: 'Couldn’t refresh. Showing saved data.',
  actions: 'Actions',
  askAgain: 'Refresh details',
  totalSize: (bytes: string) => `${bytes} in total`,
  openOne: 'Select a single file to open its link.',
  deleteSome: (n: number, shown: string) => (n === 1 ? 'Delete' : `Delete ${shown} files`),
  qrHint: 'Scan the code with a camera to open the link.',
  qrCopy: 'Copy picture',
  qrSave: 'Save as PNG…',
}
