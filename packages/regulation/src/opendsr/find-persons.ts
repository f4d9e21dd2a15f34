import { identifierText } from '@sluice/core'
import { customerIdType } from '@sluice/core/opendsr'
import { type FindUsers, searchedIdentifiers, searchPerson } from '../requests/search-person.ts'
import type { SubjectIdentifiers } from './subject-identifiers.ts'
import { SubjectRequestError } from './subject-request-error.ts'

/** Guests that are taken for one person: more are many people at one address. */
const guestsMax = 20

/**
 * Returns the ids under which events of the person are: all userIds, and the anonymousIds of events that have no userId.
 * Given userIds are taken as they are, and a given anonymousId beside them. Without a userId, the person is the
 * user whose events carry one of the identifiers. An identifier that several users have is refused: an address may be shared, and an erasure of the
 * others cannot be undone.
 * @throws SubjectRequestError when no user is known, several have the same identifier, or the log could not be searched
 * whole.
 */
export async function findPersons(
  { userId: userIds = [], anonymousId: anonymousIds = [], email = [], phone = [] }: SubjectIdentifiers,
  findUsers: FindUsers,
): Promise<readonly string[]> {
  const given = [...userIds, ...anonymousIds].map(identifierText)
  if (userIds.length > 0) return [...new Set(given)]
  const found: string[] = []
  const identities = [
    ...email.map((value) => ['email', value] as const),
    ...phone.map((value) => ['phone', value] as const),
    ...anonymousIds.map((value) => ['anonymousId', value] as const),
  ]
  for (const [name, value] of identities) {
    const { userIds: users, guestIds, isCut } = await searchPerson(searchedIdentifiers({ [name]: value }), findUsers)
    if (isCut) throw ambiguous(`there are too many events to find out all users with this ${name}; ${wayOut}`)
    if (users.length > 1) throw ambiguous(`${users.length} users have the same ${name}; ${wayOut}`)
    if (guestIds.length > guestsMax)
      throw ambiguous(
        `${guestIds.length} guests have the same ${name}, more than the ${guestsMax} that are taken for one person; ${wayOut}`,
      )
    found.push(...users, ...guestIds)
  }
  const persons = new Set([...found, ...given])
  if (persons.size === 0)
    throw new SubjectRequestError('subjectUnknown', [
      `no event that is kept has these identities; send the ${customerIdType} of the person, by which the other places are searched`,
    ])
  return [...persons]
}

const wayOut = `send the ${customerIdType} of the person, one for each account`

function ambiguous(problem: string): SubjectRequestError {
  return new SubjectRequestError('subjectAmbiguous', [problem])
}
