// Reads a multipart body by its own few lines, byte for byte and with no mercy: what a server that follows the standard to the letter would see.
// It knows nothing of how the body was made.

interface Part {
  readonly name: string | null
  readonly filename: string | null
  readonly bytes: Buffer
}

/** Throws where the body is not of the form that its content type promises. */
export function formParts(contentType: string, body: Buffer): readonly Part[] {
  const boundary = /^multipart\/form-data; boundary=([\w-]{1,70})$/.exec(contentType)?.[1]
  if (boundary === undefined) throw new Error(`No boundary in ${contentType}`)
  const mark = Buffer.from(`\r\n--${boundary}`)
  // The first one may stand at the beginning; then it has no line end before it.
  const whole = Buffer.concat([Buffer.from('\r\n'), body])
  const parts: Part[] = []
  let at = whole.indexOf(mark)
  if (at !== 0) throw new Error('There is something before the first part.')
  for (;;) {
    const next = at + mark.length
    if (whole.subarray(next).toString('latin1') === '--\r\n') return parts
    const headEnd = whole.indexOf('\r\n\r\n', next)
    const end = whole.indexOf(mark, next)
    if (headEnd < 0 || end < 0 || headEnd > end) throw new Error('A part without a head or an end.')
    const lines = whole
      .subarray(next + 2, headEnd)
      .toString()
      .split('\r\n')
    if (lines.length !== 2) throw new Error(`A head of ${lines.length} lines.`)
    const disposition = /^Content-Disposition: form-data; name="([^"]*)"; filename="([^"]*)"$/.exec(lines[0] ?? '')
    parts.push({ name: disposition?.[1] ?? null, filename: disposition?.[2] ?? null, bytes: whole.subarray(headEnd + 4, end) })
    at = end
  }
}
