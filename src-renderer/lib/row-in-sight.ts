// Whether the row of a file is visible in the window, in whatever list.

/** Rows name their file in `data-file`. A row counts as visible if its middle isn't covered or scrolled away. */
export function isRowInSight(fileId: number | string): boolean {
  const row = document.querySelector(`[data-file="${CSS.escape(String(fileId))}"]`)
  if (row === null) return false
  const { left, top, width, height } = row.getBoundingClientRect()
  const hit = document.elementFromPoint(left + width / 2, top + height / 2)
  return hit !== null && row.contains(hit)
}
