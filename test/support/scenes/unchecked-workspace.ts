import type { ParsedWorkspace } from 'sluice'

/** Returns a workspace that is made up while a test runs, or is wrong on purpose: `createSluice` checks it, not its types. */
export function uncheckedWorkspace(definition: object): ParsedWorkspace {
  return definition as ParsedWorkspace
}
