import type { RegulatedUser } from '../requests/check-request.ts'

/** Identifiers of a person by the names of Sluice, such as `userId`; one of each name or more. */
export type SubjectIdentifiers = Readonly<Record<string, readonly string[]>>

/**
 * Returns the users of the regulations that an erasure needs: each id of the person is in one at least, and so is every
 * other identifier, by which some destinations delete. Where there are fewer of a name, its first one is repeated.
 * @param persons ids of the person, one at least.
 */
export function usersOf(identifiers: SubjectIdentifiers, persons: readonly string[]): readonly RegulatedUser[] {
  const all = Object.entries({ ...identifiers, userId: persons })
  const count = Math.max(...all.map(([, values]) => values.length))
  return Array.from({ length: count }, (_, index) => {
    const own = all.flatMap(([name, values]) => {
      const value = values[index] ?? values[0]
      return value === undefined ? [] : [[name, value] as const]
    })
    return Object.fromEntries(own) as RegulatedUser
  })
}
