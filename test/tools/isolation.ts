// Which test files need a process of their own, because they replace or change what all files in a process
// share.

const SHARED = [
  // Modules, globals, environment variables and the working folder.
  /\bvi\.(?:mock|doMock|hoisted|resetModules|stubGlobal|stubEnv)\(/,
  /\bprocess\.env(?:\[[^\]]+\]|\.\w+) (?:\?\?)?=[^=]|\bdelete process\.env/,
  /\bprocess\.chdir\(|\bObject\.defineProperty\((?:process|globalThis)\b/,
  // Functions of Node's own modules.
  /\bsyncBuiltinESMExports\(/,
  // Threads and the watchers in them: they outlive a test for a moment, and one that crashes takes its
  // process along.
  /from '(?:node:worker_threads|[^']*\/(?:spawn-worker|platform\/(?:disk\/(?:disk|inspection)|watch\/watch|local))\.ts)'/,
  // `window`, which these helpers replace, and the stores of the window, of which a process has one.
  /\b(?:installBridge|createHookRoot)\(/,
  /from '[^']*\/src-renderer\/(?:state\/|[^']*(?:-store|usage-data)\.ts')/,
]

/** Whether the file with this text has to run alone. */
export function needsOwnProcess(text: string): boolean {
  return SHARED.some((what) => what.test(text))
}
