// Why a file that a search finds isn't uploaded, in both languages. The engine's reasons are English texts, so
// each of them needs its own words here.
import { describe, expect, it } from 'vitest'
import { EXISTING_RULE, LEFT_RULE } from '../../../../src-main/engine/find/existing-files.ts'
import { NESTED_RULE, PLACE_RULES } from '../../../../src-main/engine/rules/admission.ts'
import { createIgnoreRules, DEFAULT_RULES } from '../../../../src-main/engine/rules/ignore-rules.ts'
import { leftOutReason } from '../../../../src-renderer/lib/words.ts'
import { createFormats } from '../../../../src-shared/i18n/formats.ts'
import { textsOf } from '../../../../src-shared/i18n/texts.ts'

const limits = { maxBytes: 5_000_000, onlyTypes: ['jpg', 'pdf'], notTypes: [] }
const none = { ignoresCase: false, defaults: true, defaultsAt: '', above: [], files: [] }
const rules = createIgnoreRules({ ...none, patterns: ['drafts/'], limits })
const ruleOf = (path: string, size = 1): string => rules.through(path, size)?.rule ?? ''

describe.each(['en', 'de'] as const)('in %s', (language) => {
  const t = textsOf(language)
  const words = { t, f: createFormats(language, t.time) }
  const say = (reason: string) =>
    leftOutReason(
      words,
      { path: '/r/a', list: 'ignored', reason, until: null, publicLink: null, count: 1 },
      0,
    )

  it.each([
    EXISTING_RULE,
    LEFT_RULE,
    NESTED_RULE,
    ...Object.values(PLACE_RULES),
    ruleOf('a.mp4'),
    'change-ignored',
    'cancelled',
    'maybe-published',
    'deleted',
    'secret',
  ])('%s has words of its own', (reason) => {
    expect(say(reason).isRule).toBe(false)
  })

  it('names the rule, and what a default rule is for', () => {
    expect(say(ruleOf('drafts/a.jpg'))).toEqual({ text: words.t.leftOut.rule('drafts/'), isRule: true })
    for (const { pattern, why } of DEFAULT_RULES) {
      const group = words.t.settingsView.folderForm.defaultWhys[why] ?? 'no words'
      expect(say(`${pattern} (${why})`).text).toBe(words.t.leftOut.group(group, pattern))
    }
    expect(say(ruleOf('a.pdf', 6_000_000))).toEqual({ text: words.t.leftOut.larger('5 MB'), isRule: true })
  })
})
