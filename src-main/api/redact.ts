// Takes a secret out of texts that come from outside: a service may repeat the key in an answer, and answers end up in logs and on screens.
// It knows one secret at a time and keeps it no longer than its caller does.

/** Shorter ones would tear holes into ordinary words, and are no keys. */
const SHORTEST = 6

export type Redact = (text: string) => string

export function createRedact(secret: string | null): Redact {
  if (secret === null || secret.length < SHORTEST) return (text) => text
  // As itself, within a URL, and as JSON writes it.
  const forms = new Set([secret, encodeURIComponent(secret.toWellFormed()), JSON.stringify(secret).slice(1, -1)])
  return (text) => [...forms].reduce((rest, form) => (rest.includes(form) ? rest.replaceAll(form, '[key]') : rest), text)
}
