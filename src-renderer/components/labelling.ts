// How a control gets its name and its explanation where both are visible elsewhere on the page.
// The setting's row draws them; the control refers to them by ID.

export interface LabelIds {
  readonly labelledBy: string
  readonly describedBy: string
}
