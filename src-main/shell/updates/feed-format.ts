// Defines the format of the feed. The feed is a JSON file that names the newest version, its packages with
// size and SHA-512, and the percentage of computers that are offered this version. A separate file contains
// an Ed25519 signature of the feed's bytes, in Base64. assets/packaging/feed.ts writes both; feed.ts reads
// them.
import { z } from 'zod'

/** Appended to the feed's URL to get the URL of the signature. */
export const SIGNATURE_ENDING = '.sig'

/** Three numbers, as in 1.2.3. The feed never names a pre-release, which would have a suffix. */
const FeedVersion = z.string().regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}$/)

/** One or more path segments below the feed's folder. None can lead out of it. */
const FeedPath = z.string().regex(/^(?!.*(^|\/)\.\.?(\/|$))[\w.-]+(\/[\w.-]+)*$/)

const FeedPackage = z.object({
  system: z.enum(['linux', 'mac', 'win']),
  arch: z.enum(['x64', 'arm64']),
  path: FeedPath.max(500),
  bytes: z.number().int().min(1).max(4e9),
  /** In hexadecimal. */
  sha512: z.string().regex(/^[0-9a-f]{128}$/),
})
export type FeedPackage = z.infer<typeof FeedPackage>

export const Feed = z.object({
  format: z.literal(1),
  version: FeedVersion,
  /** The release notes as plain text. */
  notes: z.string().max(20_000),
  /** Percentage of computers that are offered this version. */
  staging: z.number().min(0).max(100),
  packages: z.array(FeedPackage).max(50),
})
export type Feed = z.infer<typeof Feed>
