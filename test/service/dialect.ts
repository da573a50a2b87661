// The dialect: every point that the API document leaves open, as a named option. The default is the simplest
// interpretation of the document. This file only defines the options; answers.ts builds responses
// accordingly.
import { z } from 'zod'

const limitForm = z.enum(['number', 'zero', 'minus-one', 'null', 'missing', 'huge', 'string', 'unlimited'])

export const dialectSchema = z.strictObject({
  /** Which fields a list item has. `extra` adds fields that the document doesn't mention. */
  listFields: z.enum([
    'all',
    'id-name',
    'id-only',
    'id-size',
    'name-size',
    'no-id',
    'no-size',
    'no-date',
    'no-link',
    'no-count',
    'id-as-string',
    'extra',
  ]),
  listOrder: z.enum(['newest', 'oldest', 'name', 'shuffled']),
  /** Items per page if the request has no `limit`. */
  listDefault: z.int().min(1),
  /** Maximum number of items per page. */
  listCap: z.int().min(1),
  aboveCap: z.enum(['clamp', 'reject']),
  firstPage: z.union([z.literal(0), z.literal(1)]),
  /** `ignored`: every request is answered with the first page. */
  pageNumber: z.enum(['used', 'ignored']),
  pageBeyond: z.enum(['empty', 'not-found', 'repeat-last']),
  /** `too-high` and `too-low` report a total that is off by seven. */
  pagination: z.enum(['numbers', 'strings', 'missing', 'empty', 'too-high', 'too-low']),
  /** What changes between two pages: another client uploads a file, or the newest planted file is deleted. */
  listShift: z.enum(['none', 'insert', 'delete']),
  /** How long the list hides a new file: always `listLagMs`, or a different time below that for each file. */
  listLag: z.enum(['none', 'fixed', 'random']),
  /** Milliseconds by the service's clock. */
  listLagMs: z.int().min(0),
  /**
   * About half of the list requests, chosen at random, are answered by a replica that lags by this much, so
   * that the list jumps back: new files are missing and deleted ones are present again. Milliseconds by the
   * service's clock; 0: no replica.
   */
  listReplicaMs: z.int().min(0),
  /**
   * Which requests are answered by a second copy of all records, `replicaMs` behind: the list, single files,
   * deletions and `/stats`. Uploads and links never are. The copy finds no file that it doesn't have yet, to
   * return or to delete, and still has deleted ones.
   */
  replica: z.enum(['none', 'random', 'alternate']),
  /** Milliseconds by the service's clock. */
  replicaMs: z.int().min(0),
  /**
   * How long requests for a single file, deletions included, don't find a new file. Milliseconds by the
   * service's clock.
   */
  singleLagMs: z.int().min(0),
  /** How long a deleted file is still listed, found and downloadable. Milliseconds by the service's clock. */
  deleteLagMs: z.int().min(0),
  /** `never`: single files can't be requested; the response is always 404. */
  singleFile: z.enum(['known', 'never']),
  /** Unit of every `size` and of `total_size`. KB and MB are multiples of 1024, rounded up. */
  sizeUnit: z.enum(['bytes', 'KB', 'MB', 'text']),
  /**
   * What every `size` measures. `compressed`: the space that the content takes, mostly less than its length,
   * sometimes a little more.
   */
  sizeOf: z.enum(['content', 'compressed']),
  maxFileSizeUnit: z.enum(['bytes', 'KB', 'MB', 'text']),
  maxFileSize: limitForm,
  dailyUploads: limitForm,
  /** `more`: additional fields besides the two documented ones, in `stats` and in `limits`. */
  statsFields: z.enum(['two', 'more']),
  statsMembers: z.enum(['all', 'no-stats', 'no-limits', 'no-plan', 'only-plan', 'none']),
  planName: z.enum(['lower', 'upper', 'spaced', 'number', 'null']),
  /** Time zone of `upload_date`, in minutes east of UTC. */
  zoneMinutes: z.int().min(-840).max(840),
  dateForm: z.enum(['plain', 'iso', 'iso-zone', 'epoch', 'missing']),
  errorBody: z.enum([
    'success-error',
    'error-object',
    'message',
    'nested',
    'html',
    'text',
    'empty',
    'html-as-json',
    'json-as-html',
  ]),
  /** `ok-200`: errors have status 200 and `success: false`. */
  errorStatus: z.enum(['http', 'ok-200']),
  tooBigStatus: z.union([z.literal(403), z.literal(413)]),
  /**
   * How the service names an uploaded file. `suffixed` numbers names that are taken; `slug` does, too, after
   * reducing the name to letters and digits; `prefixed` and `random-suffix` add a word; `uuid` keeps only the
   * extension; `spelled` spells other letters in ASCII.
   */
  filename: z.enum([
    'same',
    'ascii',
    'suffixed',
    'lower',
    'url-encoded',
    'truncated',
    'prefixed',
    'random-suffix',
    'slug',
    'uuid',
    'spelled',
  ]),
  /** Number of characters that `truncated` keeps. */
  nameLength: z.int().min(1),
  /** `reused`: one above the highest ID that exists, so the ID of a deleted newest file is given again. */
  ids: z.enum(['increasing', 'random', 'big', 'reused']),
  /**
   * How an ID is written. `beyond`: as an integer above 2^53, whose neighbours are the same number in double
   * precision.
   */
  idForm: z.enum(['number', 'quoted', 'beyond', 'beyond-quoted', 'uuid']),
  /**
   * What happens to an upload whose content the account already has: it becomes a new file, or the response
   * names the existing one.
   */
  sameBytes: z.enum(['new', 'existing']),
  /**
   * The share of all contents that another user of the service has already. An upload of one is answered with
   * that user's file, whose link works, but which this account can neither list nor request nor delete.
   */
  othersShare: z.number().min(0).max(1),
  publicLink: z.enum(['same', 'other-path', 'localhost']),
  receipt: z.enum([
    'plain',
    'extra',
    'id-as-string',
    'no-size',
    'no-filename',
    'no-link',
    'only-id',
    'only-link',
    'in-file',
    'in-data',
  ]),
  receiptStatus: z.union([z.literal(200), z.literal(201)]),
  contentType: z.enum(['json', 'charset', 'vendor', 'text', 'missing']),
  gzip: z.enum(['off', 'accepted', 'always']),
  retryAfter: z.enum(['seconds', 'date', 'none']),
  rateHeaders: z.enum(['none', 'ratelimit', 'x-ratelimit-epoch', 'x-ratelimit-delta']),
  /**
   * What happens to the rest of a body after an early response: it is read to the end, or the connection is
   * closed.
   */
  earlyAnswer: z.enum(['drain', 'close']),
})

export type Dialect = Readonly<z.infer<typeof dialectSchema>>

export const plainDialect: Dialect = {
  listFields: 'all',
  listOrder: 'newest',
  listDefault: 20,
  listCap: 100,
  aboveCap: 'clamp',
  firstPage: 1,
  pageNumber: 'used',
  pageBeyond: 'empty',
  pagination: 'numbers',
  listShift: 'none',
  listLag: 'none',
  listLagMs: 0,
  listReplicaMs: 0,
  replica: 'none',
  replicaMs: 0,
  singleLagMs: 0,
  deleteLagMs: 0,
  singleFile: 'known',
  sizeUnit: 'bytes',
  sizeOf: 'content',
  maxFileSizeUnit: 'bytes',
  maxFileSize: 'number',
  dailyUploads: 'number',
  statsFields: 'more',
  statsMembers: 'all',
  planName: 'lower',
  zoneMinutes: 0,
  dateForm: 'plain',
  errorBody: 'success-error',
  errorStatus: 'http',
  tooBigStatus: 403,
  filename: 'same',
  nameLength: 100,
  ids: 'increasing',
  idForm: 'number',
  sameBytes: 'new',
  othersShare: 0,
  publicLink: 'same',
  receipt: 'plain',
  receiptStatus: 200,
  contentType: 'json',
  gzip: 'off',
  retryAfter: 'seconds',
  rateHeaders: 'none',
  earlyAnswer: 'drain',
}

/**
 * Plausible complete services, for tests that try all of them. Each represents one interpretation of the open
 * points.
 */
export const dialects: Readonly<Record<string, Partial<Dialect>>> = {
  plain: {},
  bare: { listFields: 'id-name', statsFields: 'two', retryAfter: 'none' },
  'ids only': { listFields: 'id-only', pagination: 'missing', receipt: 'only-id' },
  stringly: {
    listFields: 'id-as-string',
    receipt: 'id-as-string',
    pagination: 'strings',
    sizeUnit: 'text',
    maxFileSizeUnit: 'text',
    maxFileSize: 'string',
    dailyUploads: 'string',
  },
  'kilobytes, oldest first': {
    sizeUnit: 'KB',
    maxFileSizeUnit: 'KB',
    listOrder: 'oldest',
    listCap: 10,
    listDefault: 10,
    zoneMinutes: 120,
  },
  'megabytes, by name': {
    sizeUnit: 'MB',
    maxFileSizeUnit: 'MB',
    listOrder: 'name',
    listFields: 'no-date',
    zoneMinutes: -480,
  },
  'pages from zero': {
    firstPage: 0,
    pageBeyond: 'not-found',
    listOrder: 'shuffled',
    aboveCap: 'reject',
    listCap: 20,
  },
  'repeats the last page': {
    pageBeyond: 'repeat-last',
    pagination: 'too-high',
    listCap: 10,
    listDefault: 10,
  },
  'total too low': { pagination: 'too-low', listShift: 'insert', listCap: 10, listDefault: 10 },
  'pages lose an item': { listShift: 'delete', pagination: 'empty', listCap: 10, listDefault: 10 },
  'big pages': { listCap: 1000, listDefault: 1000, listFields: 'extra', ids: 'big' },
  'cleans names': { filename: 'ascii', publicLink: 'other-path', listFields: 'no-size' },
  'suffixes names': { filename: 'suffixed', receiptStatus: 201, receipt: 'extra', contentType: 'charset' },
  'lower-case names': {
    filename: 'lower',
    ids: 'random',
    listFields: 'no-link',
    rateHeaders: 'x-ratelimit-epoch',
  },
  'encoded names': {
    filename: 'url-encoded',
    receipt: 'in-file',
    publicLink: 'localhost',
    rateHeaders: 'x-ratelimit-delta',
  },
  'short names': { filename: 'truncated', receipt: 'no-size', gzip: 'accepted', rateHeaders: 'ratelimit' },
  unlimited: { maxFileSize: 'minus-one', dailyUploads: 'unlimited', statsFields: 'two' },
  'zero is unlimited': { maxFileSize: 'zero', dailyUploads: 'zero', planName: 'upper' },
  'null is unlimited': { maxFileSize: 'null', dailyUploads: 'null', planName: 'spaced' },
  'huge limits': { maxFileSize: 'huge', dailyUploads: 'huge', planName: 'null' },
  'stats without members': { statsMembers: 'none', maxFileSize: 'missing', dailyUploads: 'missing' },
  'stats with the plan only': { statsMembers: 'only-plan', planName: 'number' },
  'errors as pages': { errorBody: 'html', retryAfter: 'date', earlyAnswer: 'close' },
  'errors as text': { errorBody: 'text', contentType: 'text', tooBigStatus: 413 },
  'errors are empty': { errorBody: 'empty', retryAfter: 'none', contentType: 'missing' },
  'errors nested': { errorBody: 'nested', dateForm: 'iso', contentType: 'vendor' },
  'errors as objects': {
    errorBody: 'error-object',
    statsMembers: 'no-stats',
    maxFileSize: 'unlimited',
    dailyUploads: 'minus-one',
  },
  'errors as JSON called HTML': { errorBody: 'json-as-html', statsMembers: 'no-limits', gzip: 'always' },
  'no plan named': {
    statsMembers: 'no-plan',
    listOrder: 'oldest',
    listFields: 'no-size',
    receipt: 'no-size',
  },
  'errors with 200': { errorStatus: 'ok-200', receipt: 'in-data', dateForm: 'iso-zone', zoneMinutes: 330 },
  'errors mislabelled': { errorBody: 'html-as-json', receipt: 'no-filename', dateForm: 'epoch' },
  'deduplicates, oldest first': { sameBytes: 'existing', listOrder: 'oldest', receipt: 'extra' },
  'list 15 s late': { listLag: 'fixed', listLagMs: 15_000 },
  'list late at random': { listLag: 'random', listLagMs: 45_000, ids: 'random' },
  'list from a stale replica': { listReplicaMs: 30_000, ids: 'random' },
  'prefixes names': { filename: 'prefixed' },
  'adds to names': { filename: 'random-suffix', ids: 'random' },
  'makes slugs': { filename: 'slug' },
  'spells names in ASCII': { filename: 'spelled' },
  'replaces names': { filename: 'uuid', ids: 'random', listOrder: 'oldest' },
  'cuts names': { filename: 'truncated', nameLength: 12 },
  'reuses numbers': { ids: 'reused' },
  'ids and sizes only': { listFields: 'id-size', singleFile: 'never', receipt: 'no-filename' },
  'errors as messages': {
    errorBody: 'message',
    receipt: 'no-link',
    dateForm: 'missing',
    listFields: 'no-count',
  },
  'answers with a link': { receipt: 'only-link' },
  'list without numbers': { listFields: 'no-id' },
  'ignores the page': { pageNumber: 'ignored', listCap: 10, listDefault: 10 },
  'list of names': { listFields: 'name-size' },
  'single files late': { singleLagMs: 10_000 },
  'deletions late': { deleteLagMs: 10_000, receipt: 'extra' },
  'two copies, at random': { replica: 'random', replicaMs: 20_000, ids: 'random' },
  'two copies by turns': { replica: 'alternate', replicaMs: 5000 },
  'compressed sizes': { sizeOf: 'compressed' },
  'others have it': { othersShare: 0.5 },
  'ids in quotes': { idForm: 'quoted' },
  'ids beyond 2^53': { idForm: 'beyond' },
  'ids beyond 2^53 in quotes': { idForm: 'beyond-quoted' },
  'ids are UUIDs': { idForm: 'uuid', ids: 'random' },
}

export function withDialect(partial: Partial<Dialect>, base: Dialect = plainDialect): Dialect {
  return dialectSchema.parse({ ...base, ...partial })
}

/** Parses the name of a dialect listed above, or JSON with single options. Throws with a readable message. */
export function parseDialect(text: string): Partial<Dialect> {
  const named = dialects[text]
  if (named !== undefined) return named
  if (!text.trimStart().startsWith('{'))
    throw new Error(`no dialect is named ${text}; there are: ${Object.keys(dialects).join(', ')}`)
  return dialectSchema.partial().parse(JSON.parse(text)) as Partial<Dialect>
}
