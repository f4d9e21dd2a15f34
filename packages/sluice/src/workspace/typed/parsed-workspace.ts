import type { JsonObject } from '@sluice/core'

declare const parsed: unique symbol

/**
 * A definition that comes from a text or a file, and so is checked when it runs instead of by its types. `parseWorkspace` and
 * `readWorkspaceFile` return it.
 */
export interface ParsedWorkspace {
  readonly [parsed]: true
}

/** Returns a definition as one that is checked when it runs. */
export function toParsedWorkspace(definition: JsonObject): ParsedWorkspace {
  return definition as unknown as ParsedWorkspace
}
