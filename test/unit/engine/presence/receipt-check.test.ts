// Which receipts count as those of the file that was sent. The receipts are of the forms that services were
// seen to answer with: failed inserts, cleaned names, compressed or rounded sizes, another file's row.
import { describe, expect, it } from 'vitest'
import { NO_NAME_HABITS } from '../../../../src-main/engine/presence/naming.ts'
import {
  judgeReceipt,
  ReceiptCheck,
  type ReceiptEvidence,
} from '../../../../src-main/engine/presence/receipt-check.ts'

const receipt = {
  fileId: 7,
  filename: 'report.pdf',
  size: 5000,
  uploadDate: null,
  downloadCount: null,
  publicLink: 'https://files.example.com/download/abc',
} as const
const sent: ReceiptEvidence = {
  name: 'report.pdf',
  size: 5000,
  receipt,
  holder: 'none',
  unit: null,
  sizesTell: true,
  names: NO_NAME_HABITS,
}

describe('a receipt', () => {
  it.each<readonly [string, Partial<ReceiptEvidence>, string]>([
    ['with our name, size and a link', {}, 'fits'],
    ['with the size in KiB', { receipt: { ...receipt, size: 5 } }, 'fits'],
    ['without a size', { receipt: { ...receipt, size: null } }, 'fits'],
    [
      'with a cleaned name',
      { receipt: { ...receipt, filename: 'Report_PDF.pdf' }, name: 'report pdf.pdf' },
      'fits',
    ],
    ['without a link', { receipt: { ...receipt, publicLink: null } }, 'fits'],
    ['of the same content that we have there already', { holder: 'same' }, 'fits'],
    [
      'of a failed insert',
      { receipt: { ...receipt, fileId: 0, filename: null, size: 0, publicLink: null } },
      'doubted',
    ],
    [
      'of a failed insert, for an empty file',
      { size: 0, receipt: { ...receipt, filename: null, size: 0, publicLink: null } },
      'doubted',
    ],
    ['with another size', { receipt: { ...receipt, size: 4321 } }, 'doubted'],
    [
      'with another size, where sizes are compressed',
      { receipt: { ...receipt, size: 4321 }, sizesTell: false },
      'fits',
    ],
    ['with another name', { receipt: { ...receipt, filename: 'holiday.jpg' } }, 'doubted'],
    [
      'with another name, where names are replaced',
      { receipt: { ...receipt, filename: 'f81d4fae' }, names: { ...NO_NAME_HABITS, replaced: 1 } },
      'fits',
    ],
    ['of other content of ours', { holder: 'other' }, 'unfit'],
    ['with the ID of other content of ours, and a new link', { holder: 'other-link' }, 'doubted'],
  ])('%s', (_name, evidence, verdict) => {
    expect(judgeReceipt({ ...sent, ...evidence })).toBe(verdict)
  })
})

it.each([
  ['other content', 'b', 5000, false],
  ['the same content', 'a', 5000, true],
  ['another size', 'b', 70, false],
])(
  'a receipt with the link of another upload of ours, with %s, under another ID',
  async (_, hex, size, isFit) => {
    const sha256 = 'a'.repeat(64)
    const holder = {
      id: 1,
      state: 'done',
      ended: null,
      size,
      sha256: hex.repeat(64),
      publicLink: receipt.publicLink,
    }
    const check = new ReceiptCheck({
      transfers: {
        byFileId: () => null,
        byLink: (link: string) => (link === receipt.publicLink ? holder : null),
      },
      habits: { sendName: () => sent.name, names: NO_NAME_HABITS },
      limits: { unit: () => null, sizesTell: () => true },
    } as never)
    const row = { id: 2, size: sent.size } as never
    expect(await check.fits(row, receipt, sha256, new AbortController().signal)).toBe(isFit)
  },
)
