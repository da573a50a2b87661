// Escapes values and command lines of desktop entries (autostart, menus of file managers) according to the
// Desktop Entry Specification. Special characters in a program's path must not change what is started.

/**
 * Quotes an argument of a desktop entry's Exec line and escapes the characters that are special inside the
 * quotes.
 */
function quoted(argument: string): string {
  return `"${argument.replaceAll(/[\\"`$]/g, (char) => `\\${char}`).replaceAll('%', '%%')}"`
}

/**
 * Escapes a value of a desktop entry. Every value needs this, and `Exec` also needs its own quoting. A line
 * break would end the value, and a single backslash would make it invalid.
 */
export function value(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')
}

/**
 * Returns the value of an `Exec` key that runs `program` (path and arguments). Callers append more arguments
 * and field codes such as `%F`.
 */
export function execLine(program: readonly string[]): string {
  return value(program.map(quoted).join(' '))
}
