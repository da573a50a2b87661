// What keychain-program.ts prints for KEYCHAIN_DO=round in a keychain that works.
export const ROUND = [
  { ok: true, secret: null },
  { ok: true },
  { ok: true, secret: 'first-käy-😀' },
  { ok: true },
  { ok: true, secret: 'second' },
  { ok: true, secret: null },
  { ok: true, existed: true },
  { ok: true, secret: null },
  { ok: true, existed: false },
]
