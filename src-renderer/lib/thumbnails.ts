// Makes thumbnails of local pictures for the rows: one at a time, the latest request first, because its row
// is most likely still visible. Chromium decodes them, so all its formats have one, except SVG. Those
// recently made are kept.

/** Longer side in pixels: over twice that of a tile (28 px, kind-tile.css), for high-density screens. */
const SIDE = 64
/** A screenshot of an 8K screen has 33 million. Decoding takes 4 bytes for each. */
const PIXELS_MOST = 40_000_000
/** For reading, because a drive may not answer. */
const READ_MS = 10_000
/** Each takes 16 KB. */
const KEPT_MOST = 500

interface Request {
  readonly address: string
  readonly show: (thumbnail: ImageBitmap | null) => void
}

/** By address; null for a picture that can't have one. */
const kept = new Map<string, ImageBitmap | null>()
const requests = new Set<Request>()
let isRunning = false

/** Returns the thumbnail of the picture at `address`, or null if it isn't kept. */
export function keptThumbnail(address: string): ImageBitmap | null {
  return kept.get(address) ?? null
}

/**
 * Calls `show` with the picture's thumbnail once it is made, or with null if it can't have one. Returns a
 * function that prevents the call.
 */
export function requestThumbnail(address: string, show: Request['show']): () => void {
  const request = { address, show }
  requests.add(request)
  if (!isRunning) void run()
  return () => void requests.delete(request)
}

async function run(): Promise<void> {
  isRunning = true
  for (let latest = [...requests].at(-1); latest !== undefined; latest = [...requests].at(-1)) {
    const { address } = latest
    const known = kept.get(address)
    const thumbnail = known === undefined ? await make(address).catch(() => null) : known
    // Move the entry to the end, where the most recently used ones are.
    kept.delete(address)
    kept.set(address, thumbnail)
    for (const old of [...kept.keys()].slice(0, -KEPT_MOST)) kept.delete(old)
    for (const request of [...requests].filter((one) => one.address === address)) {
      requests.delete(request)
      request.show(thumbnail)
    }
  }
  isRunning = false
}

async function make(address: string): Promise<ImageBitmap | null> {
  const signal = AbortSignal.timeout(READ_MS)
  const picture = await (await fetch(address, { signal })).blob()
  if (picture.size === 0 || picture.type === 'image/svg+xml') return null
  const { width, height } = await sizeOf(address, signal)
  if (width * height > PIXELS_MOST) return null
  const scale = Math.min(1, SIDE / Math.max(width, height))
  return createImageBitmap(picture, {
    resizeWidth: Math.max(1, Math.round(width * scale)),
    resizeHeight: Math.max(1, Math.round(height * scale)),
    resizeQuality: 'medium',
  })
}

/**
 * Reads the picture's size without decoding it. Otherwise, a small file could fill the memory with pixels.
 */
function sizeOf(
  address: string,
  signal: AbortSignal,
): Promise<{ readonly width: number; readonly height: number }> {
  return new Promise((resolve, reject) => {
    const image = new Image()
    signal.addEventListener('abort', reject)
    image.addEventListener('error', reject)
    image.addEventListener('load', () => resolve({ width: image.naturalWidth, height: image.naturalHeight }))
    image.src = address
  })
}
