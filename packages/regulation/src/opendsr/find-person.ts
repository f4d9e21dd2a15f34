import { identifierText } from '@sluice/core'
import { type FindUsers, searchedIdentifiers, searchPerson } from '../requests/search-person.ts'
import { findingTypes } from './identity-types.ts'
import { SubjectRequestError } from './subject-request-error.ts'

/**
 * Returns the userId of the person with these identifiers. A given userId is taken as it is: an address may be shared, and
 * the others who have it must not be erased. Without one, exactly one user must have the other identifiers, and no event of
 * the person may have an anonymousId only.
 * @throws SubjectRequestError when no user is known, or several are.
 */
export async function findPerson(identifiers: Readonly<Record<string, string>>, findUsers: FindUsers): Promise<string> {
  const { userId, anonymousId } = identifiers
  if (userId !== undefined) return userId
  const { userIds, guestIds, isCut } = await searchPerson(searchedIdentifiers(identifiers), findUsers)
  if (isCut)
    throw new SubjectRequestError('subjectAmbiguous', [
      `there are too many events to find out all users with these identities; send the ${findingTypes[0]} of the person`,
    ])
  const anonymous = anonymousId === undefined ? guestIds : [...guestIds, identifierText(anonymousId)]
  const persons = new Set([...userIds, ...anonymous])
  const [person, ...more] = persons
  if (person === undefined)
    throw new SubjectRequestError('subjectUnknown', [
      `no event that is kept has these identities; send the ${findingTypes[0]} of the person, by which the other places are searched`,
    ])
  // One request makes one regulation, which would leave them.
  if (userIds.length > 0 && anonymous.length > 0)
    throw new SubjectRequestError('subjectAmbiguous', [
      `events of the person have an anonymousId and no userId: send the ${findingTypes[0]} for events that have it, and POST /v2/regulations with the address for all of them`,
    ])
  if (more.length > 0)
    throw new SubjectRequestError('subjectAmbiguous', [
      `${persons.size} users have these identities; send the ${findingTypes[0]} of the person`,
    ])
  return person
}
