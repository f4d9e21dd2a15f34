import { identifierText, isJsonObject } from '@sluice/core'
import {
  type FindUsers,
  type PersonIdentifiers,
  type PersonIds,
  type RegulatedUser,
  RegulationError,
  searchedIdentifiers,
  searchPerson,
  type UserProblem,
} from '@sluice/regulation'

/** Users of one request that are searched: each search reads what is kept of events. */
const searchesMax = 20

/**
 * Returns the users of a request with a `userId` each. One without is found by what events say that are kept: by e-mail
 * address, phone number or anonymousId, see `searchPerson`. Events of the person that have an anonymousId only make that one
 * more user. Source: packages/docs/api/regulations.md#create.
 *
 * @throws RegulationError when no or several userIds match, or when not everything could be looked through: a regulation of
 * one of several ids would look like one of the person.
 */
export async function withUserIds(
  users: readonly RegulatedUser[],
  findUsers: FindUsers,
): Promise<readonly RegulatedUser[]> {
  const problems: UserProblem[] = []
  const named: RegulatedUser[] = []
  let searches = 0
  for (const [index, user] of users.entries()) {
    const search = searchOf(user)
    if (search === undefined) {
      named.push(user)
      continue
    }
    searches += 1
    const found = searches > searchesMax ? tooMany : chosenIds(await searchPerson(search, findUsers))
    if ('problem' in found) problems.push({ index, message: found.problem })
    else named.push(...found.ids.map((userId) => ({ ...user, userId })))
  }
  const [first] = problems
  if (first) throw new RegulationError('usersInvalid', `users[${first.index}] ${first.message}`, problems)
  return named
}

const tooMany = {
  problem: `has no userId; at most ${searchesMax} users of a request can be found by other identifiers`,
}

/** Returns the identifiers by which a user without `userId` is found; undefined when it has a `userId`, or none of them. */
function searchOf(user: unknown): PersonIdentifiers | undefined {
  if (!isJsonObject(user) || identifierText(user['userId']) !== '') return undefined
  const identifiers = searchedIdentifiers(user)
  return Object.keys(identifiers).length === 0 ? undefined : identifiers
}

function chosenIds({
  userIds,
  guestIds,
  isCut,
}: PersonIds): { readonly ids: readonly string[] } | { readonly problem: string } {
  if (isCut) return { problem: 'has no userId, and there are too many events to find out all ids; name the userId' }
  if (userIds.length > 1)
    return { problem: `has no userId, and ${userIds.length} users have these identifiers; GET /v2/users lists them` }
  const ids = [...new Set([...userIds, ...guestIds])]
  return ids.length > 0 ? { ids } : { problem: 'has no userId, and no event in the log has these identifiers' }
}
