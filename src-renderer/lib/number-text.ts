// Parses the numbers typed into a number field, and computes the values one step above and below them.

/**
 * Parses a number typed in the format of `locale` (BCP 47), with or without group separators. The decimal separator of other languages is
 * accepted where it can't be a group separator. Returns null if the text isn't a number, or if the number is negative.
 */
export function readNumber(text: string, locale: string): number | null {
  const parts = new Intl.NumberFormat(locale).formatToParts(1_000_000.5)
  const decimal = parts.find(({ type }) => type === 'decimal')?.value === ',' ? ',' : '.'
  const own = parts.find(({ type }) => type === 'group')?.value ?? ''
  // Keyboards have no keys for the no-break spaces of Austria and the typographic apostrophe of Switzerland.
  const group = `${decimal === ',' ? '\\.' : ','}${/\s/.test(own) ? '\\s' : /['’]/.test(own) ? "'’" : ''}`
  const trimmed = text.trim()
  const isGrouped = new RegExp(`^\\d{1,3}([${group}])\\d{3}(?:\\1\\d{3})*(?:\\${decimal}\\d*)?$`).test(trimmed)
  const plain = (isGrouped ? trimmed.replaceAll(new RegExp(`[${group}]`, 'g'), '') : trimmed).replace(',', '.')
  return /^(?:\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : null
}

export interface Steps {
  readonly min: number
  readonly max: number
  readonly step: number
}

/** Rounds to six decimals. Otherwise, floating-point errors would hide a multiple of the step: 0.3 / 0.1 is less than 3. */
function rounded(value: number): number {
  return Number(value.toFixed(6))
}

/** Returns the next multiple of `step` above `value` (`direction` 1) or below it (-1), or `value` if that multiple is out of bounds. */
export function stepped(value: number, direction: 1 | -1, { min, max, step }: Steps): number {
  const count = rounded(value / step)
  const next = rounded((direction === 1 ? Math.floor(count) + 1 : Math.ceil(count) - 1) * step)
  return next < min || next > max ? value : next
}
