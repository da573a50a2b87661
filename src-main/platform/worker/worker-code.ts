// The code of the worker threads in a built program. It is text inside the program, so that the command line remains one file and the
// installed executable needs no other file.

/** worker-main.ts and its imports as one CommonJS script. The build replaces this module (vite.config.ts); null when run from source. */
export const WORKER_CODE: string | null = null
