// Table-driven tests of the decision about a file, and of the effect of a release after a move.
// Pure. test/scenario/admission.test.ts tests how the facts are collected.
import { describe, expect, it } from 'vitest'
import { type AdmissionFacts, admit, releasedAfterMove } from '../../../../src-main/engine/rules/admission.ts'
import { createGuard, NO_GUARD_RULES } from '../../../../src-main/engine/rules/guard.ts'

const GO: AdmissionFacts = { place: null, watched: true, caught: null, secret: null, released: false }

describe('admit', () => {
  it.each<[string, Partial<AdmissionFacts>, ReturnType<typeof admit>]>([
    ['nothing speaks against it', {}, { kind: 'go' }],
    ['a secret by name', { secret: 'key' }, { kind: 'held', reason: 'secret', rule: 'key' }],
    ['a secret that was let go', { secret: 'key', released: true }, { kind: 'go' }],
    ['a rule', { caught: '*.log' }, { kind: 'ignored', rule: '*.log' }],
    [
      'a rule, though it was let go',
      { caught: '*.log', secret: 'key', released: true },
      { kind: 'ignored', rule: '*.log' },
    ],
    [
      'a rule comes before a question to a person',
      { caught: '*.log', secret: 'key' },
      { kind: 'ignored', rule: '*.log' },
    ],
    ['not watched', { watched: false }, { kind: 'withdrawn' }],
    ['not watched comes before a rule', { watched: false, caught: '*.log' }, { kind: 'withdrawn' }],
    ["Slipway's own", { place: 'own' }, { kind: 'ignored', rule: "Slipway's own data" }],
    [
      "Slipway's own, whatever else",
      { place: 'own', released: true, secret: 'key' },
      { kind: 'ignored', rule: "Slipway's own data" },
    ],
    ['a policy', { place: 'forbidden' }, { kind: 'ignored', rule: 'forbidden by your organization' }],
  ])('%s', (_name, facts, verdict) => {
    expect(admit({ ...GO, ...facts })).toEqual(verdict)
  })
})

const GUARD = createGuard({
  rules: () => NO_GUARD_RULES,
  key: () => null,
  inspection: { inspect: async () => null, secretLine: async () => null },
})

describe('releasedAfterMove', () => {
  it.each([
    [null, '/a/.env', '/a/id_rsa', null],
    ['secret', '/a/.env', '/b/.env', 'secret'],
    ['secret', '/a/.env', '/a/id_rsa', null],
    ['secret', '/a/.env', '/a/prod.env', null],
    ['secret', '/a/.env', '/a/notes.txt', 'secret'],
    ['secret', '/a/notes.txt', '/a/.env', null],
    ['too-big,secret', '/a/.env', '/a/id_rsa', 'too-big'],
    ['too-big', '/a/a.iso', '/a/b.iso', 'too-big'],
  ])('%s from %s to %s: %s', (released, from, to, left) => {
    expect(releasedAfterMove(GUARD, released, from, to)).toBe(left)
  })
})
