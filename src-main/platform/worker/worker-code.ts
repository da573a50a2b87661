// The code of the worker threads. A built program contains it as text, so that the command line is a single
// file.

/**
 * worker-main.ts and its imports as one CommonJS script. The build fills it in (vite.config.ts). Null when
 * run from source.
 */
export const WORKER_CODE: string | null = null
