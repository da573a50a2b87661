// IDs that connect a control to its name and description when both are rendered elsewhere.
// The row of a setting renders them, and the control refers to them by ID.

export interface LabelIds {
  readonly labelledBy: string
  readonly describedBy: string
}
