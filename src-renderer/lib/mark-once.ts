// Marks for measurements of the start-up time. A mark is kept for as long as the page is loaded, so only the
// first one with a name is set.

export function markOnce(name: string): void {
  if (performance.getEntriesByName(name).length === 0) performance.mark(name)
}
