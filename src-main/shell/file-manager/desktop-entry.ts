// Values and command lines of desktop entries (autostart, Dolphin's menu), by the Desktop Entry Specification.
// What a program is called must not change what is started.

/** Quotes an argument of a desktop entry's Exec line and escapes the characters that are special inside the quotes. */
function quoted(argument: string): string {
  return `"${argument.replaceAll(/[\\"`$]/g, (char) => `\\${char}`).replaceAll('%', '%%')}"`
}

/**
 * Escapes a value of a desktop entry. Applies to all values, on top of Exec's own quoting: a line break would end the value, a single
 * backslash would make it invalid.
 */
export function value(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')
}

/** The value of an `Exec` key that starts the program with its own arguments; fields such as `%F` are added behind it. */
export function execLine(program: readonly string[]): string {
  return value(program.map(quoted).join(' '))
}
