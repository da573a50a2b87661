// Parses typed ignore rules, which have the syntax of .gitignore files. Returns the list for the settings,
// and an error or note for each unusual line. An error makes the rules unusable; a note only explains a line.
// Pure; the rules aren't matched against files here.

export type RuleFault = 'backslash' | 'absolute' | 'bracket' | 'nothing' | 'long' | 'many'
export type RuleNote = 'relative' | 'everything' | 'again' | 'spaces' | 'brace' | 'lets'

/** An error (`fault`) or a note about a line. */
export interface RuleHint {
  /** Line number, starting at 1. */
  readonly line: number
  readonly fault: boolean
  readonly what: RuleFault | RuleNote
}

export interface ReadRules {
  /**
   * The lines that are valid rules, without comments, redundant rules, surrounding spaces and a `./` at the
   * start.
   */
  readonly rules: readonly string[]
  readonly hints: readonly RuleHint[]
  /** False if there is an error. In that case, the saved rules stay in effect. */
  readonly usable: boolean
}

/**
 * The maximum number of rules, and the maximum length of a rule in characters (`IgnoreRules` in model.ts).
 */
const RULES_MOST = 1000
const LENGTH_MOST = 4096

/**
 * Whether the rule has a `[` without a closing `]`. An escaped `[` is a literal; a `]` right after `[`, `[!`
 * or `[^` belongs to the set.
 */
function openBracket(rule: string): boolean {
  for (let i = 0; i < rule.length; i++) {
    if (rule[i] === '\\') i++
    else if (rule[i] === '[') {
      const inside = rule[i + 1] === '!' || rule[i + 1] === '^' ? i + 2 : i + 1
      const end = rule.indexOf(']', inside + 1)
      if (end < 0) return true
      i = end
    }
  }
  return false
}

function faultOf(rule: string, from: RulesFrom): RuleFault | null {
  const body = rule.startsWith('!') ? rule.slice(1) : rule
  if (body.trim() === '') return 'nothing'
  if (rule.length > LENGTH_MOST) return 'long'
  if (body.startsWith('~/')) return 'absolute'
  const isAbsolute =
    /^[a-z]:[\\/]/i.test(body) || body.startsWith('\\\\') || /^\/(home|Users|Volumes|mnt|media)\//.test(body)
  if (from === 'folder' && isAbsolute) return 'absolute'
  // A backslash escapes special characters. Before a letter or digit, or at the end, it is probably meant as
  // a path separator.
  if (/\\[\p{L}\p{N}]/u.test(body) || body.endsWith('\\')) return 'backslash'
  return openBracket(body) ? 'bracket' : null
}

/**
 * Whether leaving out this repeated rule changes nothing. The last matching rule wins, so a rule that is
 * repeated after one of the opposite kind (with or without `!`) takes effect again.
 */
function isRedundant(rule: string, above: readonly string[]): boolean {
  const at = above.lastIndexOf(rule)
  return at >= 0 && above.slice(at).every((one) => one.startsWith('!') === rule.startsWith('!'))
}

function noteOf(rule: string, above: readonly string[]): RuleNote | null {
  if (isRedundant(rule, above)) return 'again'
  if (rule.startsWith('./')) return 'relative'
  if (/^\/?\*{1,2}(\/\*{0,2})?$/.test(rule)) return 'everything'
  if (/\{[^}]*,[^}]*\}/.test(rule)) return 'brace'
  return rule.startsWith('!') ? 'lets' : null
}

/** What the paths in rules are relative to: a watched folder, or the root of the disk. */
export type RulesFrom = 'folder' | 'disk'

/**
 * Parses rules as typed, one per line. Never fails: `usable` is false if a line has an error or there are too
 * many rules.
 */
export function readRules(text: string, from: RulesFrom = 'folder'): ReadRules {
  const rules: string[] = []
  const hints: RuleHint[] = []
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = index + 1
    // An escaped space at the end belongs to the rule.
    const rule = raw.trimStart().replace(/(?<!\\)\s+$/, '')
    if (rule === '' || rule.startsWith('#')) continue
    const fault = faultOf(rule, from)
    if (fault === null) {
      const note = noteOf(rule, rules)
      if (note !== null) hints.push({ line, fault: false, what: note })
      else if (/\S\s+$/.test(raw) && rule !== raw.trimStart())
        hints.push({ line, fault: false, what: 'spaces' })
      // A rule that begins with ./ would never match.
      if (note !== 'again') rules.push(note === 'relative' ? rule.slice(2) : rule)
    } else hints.push({ line, fault: true, what: fault })
  }
  if (rules.length > RULES_MOST) hints.push({ line: RULES_MOST + 1, fault: true, what: 'many' })
  return { rules, hints, usable: hints.every((hint) => !hint.fault) }
}
