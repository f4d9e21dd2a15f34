import { type FurtherIdentifier, furtherIdentifiers, identifierText } from '@sluice/core'

/** A user whose events have an identifier. */
export interface KnownUser {
  /** As cleaned text; absent where the events name no user. */
  readonly userId?: string
  readonly anonymousIds: readonly string[]
  /** Other ids by which these events name the person. */
  readonly otherIds?: readonly string[]
}

export type PersonIdentifiers = Readonly<Partial<Record<FurtherIdentifier, string>>>

/**
 * Returns the users whose events have any of the identifiers: an e-mail address, a phone number, an anonymousId. `isCut`:
 * there may be more of them.
 */
export type FindUsers = (
  identifiers: PersonIdentifiers,
) => Promise<{ readonly users: readonly KnownUser[]; readonly isCut: boolean }>

/** Every id by which events with the identifiers of a person name somebody. */
export interface PersonIds {
  readonly userIds: readonly string[]
  /** Of events that name no user. */
  readonly guestIds: readonly string[]
  /** External ids, ids in traits and previous ids beside a userId. */
  readonly otherIds: readonly string[]
  /** Whether not everything was looked through. */
  readonly isCut: boolean
}

/** Returns the identifiers by which a person can be searched, cleaned, without blank ones. */
export function searchedIdentifiers(given: Readonly<Record<string, unknown>>): PersonIdentifiers {
  const known = furtherIdentifiers.flatMap((name): [string, string][] => {
    const text = identifierText(given[name])
    return text === '' ? [] : [[name, text]]
  })
  return Object.fromEntries(known)
}

/**
 * Searches a person once, by any of the identifiers, for every request that does not name the userId. What several ids mean
 * is decided by the caller.
 */
export async function searchPerson(identifiers: PersonIdentifiers, findUsers: FindUsers): Promise<PersonIds> {
  const { users, isCut } = await findUsers(identifiers)
  const unique = (ids: readonly string[]): readonly string[] => [...new Set(ids)]
  return {
    userIds: unique(users.flatMap(({ userId }) => userId ?? [])),
    guestIds: unique(users.flatMap(({ userId, anonymousIds }) => (userId === undefined ? anonymousIds : []))),
    otherIds: unique(users.flatMap(({ otherIds = [] }) => otherIds)),
    isCut,
  }
}
