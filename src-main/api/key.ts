// Checks whether an API key can be put into a request header.

/** Characters that a header value can't contain (RFC 9110, section 5.5). The HTTP library throws on them. */
const NOT_FOR_HEADERS = /[^\t\x20-\x7e\x80-\xff]/

/**
 * Whether a header can carry the key. Any other key was probably copied with extra characters, such as a
 * zero-width space.
 */
export function isSendableKey(key: string): boolean {
  return !NOT_FOR_HEADERS.test(key)
}
