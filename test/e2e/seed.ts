// An account that looks lived in: files of every kind with sizes, dates and downloads, the same at every run. For pictures of the window and for
// specs that need a full list; it uploads nothing.
import type { Service } from '../service/service.ts'

const NAMED: readonly (readonly [name: string, size: number, hoursAgo: number, downloads: number])[] = [
  ['harbour-sunrise-final.jpg', 4_800_000, 0.03, 12],
  ['Offer 2026-11 Brandt & Söhne.pdf', 1_200_000, 0.25, 3],
  ['site-export-2026-11-20.zip', 318_000_000, 1.1, 41],
  ['demo-walkthrough.mp4', 1_600_000_000, 3.2, 128],
  ['Screenshot 2026-11-20 at 12.02.07.png', 612_000, 22, 2],
  ['patch-0042-retry-budget.diff', 18_000, 25, 7],
  ['Besprechung-Protokoll.docx', 84_000, 50, 5],
  ['interview-raw-take-3.wav', 212_000_000, 80, 19],
  ['logo-lockup@2x.png', 96_000, 124, 340],
  ['fonts-licensed.7z', 22_000_000, 130, 0],
]
const STEMS = [
  'draft',
  'board',
  'quay',
  'release',
  'photo',
  'plan',
  'invoice',
  'survey',
  'model',
  'notes',
  'cover',
  'minutes',
  'keel',
  'mast',
] as const
const ENDS = ['jpg', 'pdf', 'zip', 'mp4', 'png', 'ts', 'docx', 'wav', 'csv', 'tar.gz'] as const

/** Plants `count` files, newest last, ids growing with the date. */
export function seedAccount(service: Service, count: number, now = Date.now()): void {
  let state = 42
  const next = (most: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state % most
  }
  for (let i = count - 1; i >= 0; i--) {
    const named = NAMED[i]
    const [filename, size, hours, downloads] = named ?? [
      `${STEMS[next(STEMS.length)] ?? ''}-${String(i).padStart(5, '0')}.${ENDS[next(ENDS.length)] ?? ''}`,
      2 ** (8 + next(20)) + next(1000),
      132 + i * 0.4,
      next(4) === 0 ? 0 : next(60),
    ]
    service.plant({ filename, size, storedAt: now - hours * 3_600_000, downloads })
  }
}
