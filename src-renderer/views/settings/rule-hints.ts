// Ignore rules as a person types them: the list for the settings, and for each line what is odd about it. A fault keeps the old rules; a hint
// only says what the line will do. It knows the syntax of a .gitignore file, it matches no files. Pure.

export type RuleFault = 'backslash' | 'absolute' | 'bracket' | 'nothing' | 'long' | 'many'
export type RuleNote = 'relative' | 'everything' | 'again' | 'spaces' | 'brace' | 'lets'

export interface RuleHint {
  /** From 1. */
  readonly line: number
  readonly fault: boolean
  readonly what: RuleFault | RuleNote
}

export interface ReadRules {
  /** Without empty lines, comments, and spaces at the ends. */
  readonly rules: readonly string[]
  readonly hints: readonly RuleHint[]
  /** False: the old rules stay. */
  readonly usable: boolean
}

/** As the contract has it (app.ts, settings.ts). */
const RULES_MOST = 1000
const LENGTH_MOST = 4096

/** An opening bracket that nothing ends. Escaped ones are letters; a `]` right behind the `[` is one of the set. */
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

function faultOf(rule: string): RuleFault | null {
  const body = rule.startsWith('!') ? rule.slice(1) : rule
  if (body.trim() === '') return 'nothing'
  if (rule.length > LENGTH_MOST) return 'long'
  if (/^[a-z]:[\\/]/i.test(body) || body.startsWith('\\\\') || body.startsWith('~/') || /^\/(home|Users|Volumes|mnt|media)\//.test(body))
    return 'absolute'
  // An escape stands before a sign that means something; before a letter a backslash parts folders.
  if (/\\[\p{L}\p{N}]/u.test(body) || body.endsWith('\\')) return 'backslash'
  return openBracket(body) ? 'bracket' : null
}

function noteOf(rule: string, above: readonly string[]): RuleNote | null {
  if (above.includes(rule)) return 'again'
  if (rule.startsWith('./')) return 'relative'
  if (/^\/?\*{1,2}(\/\*{0,2})?$/.test(rule)) return 'everything'
  if (/\{[^}]*,[^}]*\}/.test(rule)) return 'brace'
  return rule.startsWith('!') ? 'lets' : null
}

export function readRules(text: string): ReadRules {
  const rules: string[] = []
  const hints: RuleHint[] = []
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = index + 1
    // A space after a backslash belongs to the name.
    const rule = raw.trimStart().replace(/(?<!\\)\s+$/, '')
    if (rule === '' || rule.startsWith('#')) continue
    const fault = faultOf(rule)
    if (fault === null) {
      const note = noteOf(rule, rules)
      if (note !== null) hints.push({ line, fault: false, what: note })
      else if (/\S\s+$/.test(raw) && rule !== raw.trimStart()) hints.push({ line, fault: false, what: 'spaces' })
      // What begins with ./ would match nothing as it stands.
      if (note !== 'again') rules.push(note === 'relative' ? rule.slice(2) : rule)
    } else hints.push({ line, fault: true, what: fault })
  }
  if (rules.length > RULES_MOST) hints.push({ line: RULES_MOST + 1, fault: true, what: 'many' })
  return { rules, hints, usable: hints.every((hint) => !hint.fault) }
}
