import type { JsonObject } from '@sluice/core'

/** Something of an export that Sluice has no counterpart for, or that needs attention. */
export interface ImportNote {
  /** `left out`: not in the workspace. `disabled`: there, but off until someone decides. `check`: there, but different. */
  readonly outcome: 'left out' | 'disabled' | 'check'
  /** What it is, such as `destination` or `tracking plan`. */
  readonly kind: string
  /** Name or id in the export. */
  readonly name: string
  /** What is missing or different, and what to do. */
  readonly text: string
}

/** An export, converted. */
export interface ImportedWorkspace {
  /** In the form of a workspace file. */
  readonly workspace: JsonObject
  readonly notes: readonly ImportNote[]
}
