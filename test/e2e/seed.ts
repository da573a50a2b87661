// An account that looks used: files of every type with sizes, dates and downloads, the same in every run. For
// screenshots and for specs that need a full list.
import type { Service } from '../service/service.ts'

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

/** Creates `count` files on the service, newest last, with increasing IDs. */
export function seedAccount(service: Service, count: number, now = Date.now()): void {
  let state = 42
  const next = (most: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state % most
  }
  for (let i = count - 1; i >= 0; i--) {
    service.plant({
      filename: `${STEMS[next(STEMS.length)] ?? ''}-${String(i).padStart(5, '0')}.${ENDS[next(ENDS.length)] ?? ''}`,
      size: 2 ** (8 + next(20)) + next(1000),
      storedAt: now - (2 + i * 0.7) * 3_600_000,
      downloads: next(4) === 0 ? 0 : next(60),
    })
  }
}
