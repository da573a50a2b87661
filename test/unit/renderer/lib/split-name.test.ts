// Where a file name is split, so that its end stays visible. Parts that are drawn as one stay together.
// Names are written in the order in which they are read.
import { expect, it } from 'vitest'
import { splitName } from '../../../../src-renderer/components/middle-name.tsx'

const FAMILY = '👩‍👩‍👧‍👦'

it.each<[string, string, string, 'ltr' | 'rtl']>([
  ['report.pdf', 'report.pdf', '', 'ltr'],
  ['seventeen ch.pdf', 'seventeen ch.pdf', '', 'ltr'],
  ['quarterly report final.pdf', 'quarterly report ', 'final.pdf', 'ltr'],
  ['quarterly report 2024 .pdf', 'quarterly report ', '2024 .pdf', 'ltr'],
  // The space before the end belongs to the beginning.
  ['quarterly report 2024.pdf', 'quarterly report ', '2024.pdf', 'ltr'],
  ['שלום עולם תמונה 2024.pdf', 'שלום עולם תמונה ', '2024.pdf', 'rtl'],
  // A number isn't split, whose parts would change places.
  ['חשבונית 2026-11.docx', 'חשבונית 2026-11.docx', '', 'rtl'],
  // Joined letters aren't separated.
  ['تقرير المبيعات السنوي.pdf', 'تقرير المبيعات السنوي', '.pdf', 'rtl'],
  ['مستندات طويلة جدا بدون امتداد', 'مستندات طويلة جدا بدون ', 'امتداد', 'rtl'],
  ['مستنداتطويلةجدابدونامتداد', 'مستنداتطويلةجدابدونامتداد', '', 'rtl'],
  // A letter with its marks, and an emoji of several code points.
  ['curriculum and resume\u0301abc.jpeg', 'curriculum and resum', 'e\u0301abc.jpeg', 'ltr'],
  [`a long name with a ${FAMILY}family.png`, 'a long name with a ' + FAMILY + 'f', 'amily.png', 'ltr'],
  [`a long name with a family${FAMILY}1234.png`, 'a long name with a family', `${FAMILY}1234.png`, 'ltr'],
])('%s', (name, head, tail, dir) => {
  expect(splitName(name)).toEqual({ head, tail, dir })
})
