import { identifierText, isJsonObject, type JsonValue } from '@sluice/core'
import type { UserSearch, UsersFound } from '@sluice/pipeline'
import { type RegulatedUser, RegulationError, type UserProblem } from '@sluice/regulation'

/** Users of one request that are searched: each search reads the newest part of the log. */
const searchesMax = 20
const searched = ['email', 'phone', 'anonymousId'] as const

/**
 * Returns the users of a request with a `userId` each. One without is found by what the events in the log say: by e-mail
 * address, phone number and anonymousId, as far as they are given, as `GET /v2/users` finds it. Events of the person that
 * have an anonymousId only make that one more user. Source: packages/docs/api/regulations.md#create.
 *
 * @throws RegulationError when no or several userIds match, or when not all of the log could be looked through: a regulation of
 * one of several ids would look like one of the person.
 */
export async function withUserIds(
  users: readonly RegulatedUser[],
  findUsers: (search: UserSearch) => Promise<UsersFound>,
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
    const found = searches > searchesMax ? tooMany : idsOf(await findUsers(search))
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

/** Returns what a user without `userId` is found by; undefined for one that has it, or that nothing is known of. */
function searchOf(user: unknown): UserSearch | undefined {
  if (!isJsonObject(user) || identifierText(user['userId']) !== '') return undefined
  const given = searched.flatMap((name): [string, string][] => {
    const text = identifierText(user[name] as JsonValue | undefined)
    return text === '' ? [] : [[name, text]]
  })
  return given.length === 0 ? undefined : Object.fromEntries(given)
}

function idsOf({ users, isCut }: UsersFound): { readonly ids: readonly string[] } | { readonly problem: string } {
  if (isCut) return { problem: 'has no userId, and the log is too long to find out all ids; name the userId' }
  const userIds = users.flatMap(({ userId }) => userId ?? [])
  if (userIds.length > 1)
    return { problem: `has no userId, and ${userIds.length} users have these identifiers; GET /v2/users lists them` }
  const anonymous = users.flatMap(({ userId, anonymousIds }) => (userId === undefined ? anonymousIds : []))
  const ids = [...new Set([...userIds, ...anonymous])]
  return ids.length > 0 ? { ids } : { problem: 'has no userId, and no event in the log has these identifiers' }
}
