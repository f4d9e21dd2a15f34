import { customerIdType, identifierText } from '@sluice/core'
import type { SubjectIdentifiers } from './subject-identifiers.ts'
import { SubjectRequestError } from './subject-request-error.ts'

/** A user whose events have an identifier. */
export interface KnownUser {
  /** As cleaned text; absent where the events have only anonymous ids. */
  readonly userId?: string
  readonly anonymousIds: readonly string[]
}

/**
 * Returns the users whose events have one identifier: an e-mail address, a phone number or an anonymousId. `isCut`: there may
 * be more of them.
 */
export type FindUsers = (
  search: Readonly<Partial<Record<'email' | 'phone' | 'anonymousId', string>>>,
) => Promise<{ readonly users: readonly KnownUser[]; readonly isCut: boolean }>

/** More users than one person has: the address is one of many people. */
const personsMax = 20

/**
 * Returns the ids under which events of the person are: all userIds, and the anonymousIds of events that have no userId.
 * Given userIds are taken as they are, because an address may be shared, and the others who have it must not be erased;
 * a given anonymousId counts beside them. Without a userId, every user counts whose events have one of the identifiers:
 * the controller says that they are of this person.
 * @throws SubjectRequestError when no user is known, more are than one person has, or the log could not be searched whole.
 */
export async function findPersons(
  { userId: userIds = [], anonymousId: anonymousIds = [], email = [], phone = [] }: SubjectIdentifiers,
  findUsers: FindUsers,
): Promise<readonly string[]> {
  const given = [...userIds, ...anonymousIds].map(identifierText)
  if (userIds.length > 0) return [...new Set(given)]
  const searches = [
    ...email.map((text) => ({ email: text })),
    ...phone.map((text) => ({ phone: text })),
    ...anonymousIds.map((text) => ({ anonymousId: text })),
  ]
  const found: KnownUser[] = []
  for (const search of searches) {
    const { users, isCut } = await findUsers(search)
    if (isCut)
      throw new SubjectRequestError('subjectAmbiguous', [
        `the event log is too long to find out all users with these identities; send the ${customerIdType} of the person`,
      ])
    found.push(...users)
  }
  const persons = new Set([
    ...found.flatMap(({ userId }) => userId ?? []),
    ...found.flatMap(({ userId, anonymousIds: ids }) => (userId === undefined ? ids : [])),
    ...given,
  ])
  if (persons.size === 0)
    throw new SubjectRequestError('subjectUnknown', [
      `no user with these identities is in the event log; send the ${customerIdType} of the person, by which the other places are searched`,
    ])
  if (persons.size > personsMax)
    throw new SubjectRequestError('subjectAmbiguous', [
      `${persons.size} users have these identities, more than the ${personsMax} that are taken for one person; send the ${customerIdType} of the person`,
    ])
  return [...persons]
}
