// Which of the app's two windows this page is in. The shell names the shelf in the address (shelf.ts there).

export const IS_SHELF = globalThis.location?.hash === '#shelf'
