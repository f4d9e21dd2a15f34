import { keysOfPerson } from '@sluice/core'

/**
 * Returns what the catalogue and receipts are searched for: every identifier of the users, and their keys, by which samples
 * of guests are known whose identifiers are masked.
 */
export function searchedIdentifiers(users: readonly Readonly<Record<string, string>>[]): readonly string[] {
  return [...new Set(users.flatMap((attributes) => [...Object.values(attributes), ...keysOfPerson(attributes)]))]
}
