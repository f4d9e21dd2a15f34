import { customerIdType, identifierText } from '@sluice/core'
import { type FindUsers, searchedIdentifiers, searchPerson } from '../requests/search-person.ts'
import type { SubjectIdentifiers } from './subject-identifiers.ts'
import { SubjectRequestError } from './subject-request-error.ts'

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
  const found: string[] = []
  const searches = Math.max(email.length, phone.length, anonymousIds.length)
  for (let index = 0; index < searches; index += 1) {
    const search = searchedIdentifiers({ email: email[index], phone: phone[index], anonymousId: anonymousIds[index] })
    const { userIds: users, guestIds, isCut } = await searchPerson(search, findUsers)
    if (isCut)
      throw new SubjectRequestError('subjectAmbiguous', [
        `there are too many events to find out all users with these identities; send the ${customerIdType} of the person`,
      ])
    found.push(...users, ...guestIds)
  }
  const persons = new Set([...found, ...given])
  if (persons.size === 0)
    throw new SubjectRequestError('subjectUnknown', [
      `no event that is kept has these identities; send the ${customerIdType} of the person, by which the other places are searched`,
    ])
  if (persons.size > personsMax)
    throw new SubjectRequestError('subjectAmbiguous', [
      `${persons.size} users have these identities, more than the ${personsMax} that are taken for one person; send the ${customerIdType} of the person`,
    ])
  return [...persons]
}
