import { identifierText } from '@sluice/core'
import { findingTypes } from './identity-types.ts'
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

/**
 * Returns the userId of the person with these identifiers. A given userId is taken as it is: an address may be shared, and
 * the others who have it must not be erased. Without one, exactly one user must have the other identifiers, and no event of
 * the person may have an anonymousId only.
 * @throws SubjectRequestError when no user is known, or several are.
 */
export async function findPerson(
  { userId, email, phone, anonymousId }: Readonly<Record<string, string>>,
  findUsers: FindUsers,
): Promise<string> {
  if (userId !== undefined) return userId
  const searches = [
    ...(email === undefined ? [] : [{ email }]),
    ...(phone === undefined ? [] : [{ phone }]),
    ...(anonymousId === undefined ? [] : [{ anonymousId }]),
  ]
  const found: KnownUser[] = []
  for (const search of searches) {
    const { users, isCut } = await findUsers(search)
    if (isCut)
      throw new SubjectRequestError('subjectAmbiguous', [
        `the event log is too long to find out all users with these identities; send the ${findingTypes[0]} of the person`,
      ])
    found.push(...users)
  }
  const userIds = new Set(found.flatMap((user) => user.userId ?? []))
  const given = anonymousId === undefined ? [] : [identifierText(anonymousId)]
  const anonymous = [...found.flatMap((user) => (user.userId === undefined ? user.anonymousIds : [])), ...given]
  const persons = new Set([...userIds, ...anonymous])
  const [person, ...more] = persons
  if (person === undefined)
    throw new SubjectRequestError('subjectUnknown', [
      `no user with these identities is in the event log; send the ${findingTypes[0]} of the person, by which the other places are searched`,
    ])
  // One request makes one regulation, which would leave them.
  if (userIds.size > 0 && anonymous.length > 0)
    throw new SubjectRequestError('subjectAmbiguous', [
      `events of the person have an anonymousId and no userId: send the ${findingTypes[0]} for events that have it, and POST /v2/regulations with the address for all of them`,
    ])
  if (more.length > 0)
    throw new SubjectRequestError('subjectAmbiguous', [
      `${persons.size} users have these identities; send the ${findingTypes[0]} of the person`,
    ])
  return person
}
