// A strict parser for multipart bodies, byte for byte, like a server that follows the standard to the letter.
// Independent of the code that creates the body.

interface Part {
  readonly name: string | null
  readonly filename: string | null
  readonly bytes: Buffer
}

/** Throws if the body doesn't have the format that its content type declares. */
export function formParts(contentType: string, body: Buffer): readonly Part[] {
  const boundary = /^multipart\/form-data; boundary=([\w-]{1,70})$/.exec(contentType)?.[1]
  if (boundary === undefined) throw new Error(`No boundary in ${contentType}`)
  const mark = Buffer.from(`\r\n--${boundary}`)
  // The first boundary may be at the very beginning, without a preceding line break.
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
    const disposition = /^Content-Disposition: form-data; name="([^"]*)"; filename="([^"]*)"$/.exec(
      lines[0] ?? '',
    )
    parts.push({
      name: disposition?.[1] ?? null,
      filename: disposition?.[2] ?? null,
      bytes: whole.subarray(headEnd + 4, end),
    })
    at = end
  }
}
