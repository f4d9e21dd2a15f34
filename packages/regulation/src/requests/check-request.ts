import { identifierText } from '@sluice/core'
import { type RegulationType, regulationTypes } from '../regulation.ts'
import { RegulationError, type RegulationErrorCode, type UserProblem } from './regulation-error.ts'

/** A user of a request: `userId` and optional other identifiers. */
export type RegulatedUser = Readonly<Record<string, unknown>>

export interface NewRegulation {
  readonly regulationType: RegulationType
  /** One or more; absent: all sources, including those added later. Not allowed with `suppress_with_delete`. */
  readonly sourceIds?: readonly string[]
  /** One or more; absent: all destinations at the time of creation. Allowed only with `suppress_with_delete`. */
  readonly destinationIds?: readonly string[]
  /** One to 5,000 users; each becomes a regulation of its own. */
  readonly users: readonly RegulatedUser[]
}

/** The sources and destinations that a request may name. */
export interface RegulatedWorkspace {
  readonly sourceIds: ReadonlySet<string>
  /** Destinations by id. `isStorage` marks key-value stores and object storage, which take no custom identifiers. */
  readonly destinations: ReadonlyMap<string, { readonly isStorage: boolean }>
}

export const usersMax = 5_000
const identifiersMax = 20
/** Identifiers that may be given for every destination; all others are custom ones. */
const standardIdentifiers: readonly string[] = ['userId', 'email', 'phone']
const keyCharsMax = 100
const valueCharsMax = 1_000

/**
 * Checks a whole request; see NewRegulation. Source: packages/docs/api/regulations.md#create.
 * @returns the identifiers of each user; userId, email and phone as cleaned text.
 * @throws RegulationError
 */
export function checkRequest(
  request: NewRegulation,
  { sourceIds: knownSources, destinations }: RegulatedWorkspace,
): readonly { readonly userId: string; readonly [identifier: string]: string }[] {
  const { regulationType, sourceIds = [], destinationIds = [], users } = request
  if (!regulationTypes.includes(regulationType))
    refuse(
      'regulationTypeUnknown',
      `regulationType is ${shown(regulationType)}, must be ${regulationTypes.join(' or ')}`,
    )
  // A program that found no id must not suppress or delete everywhere.
  if (request.sourceIds?.length === 0)
    refuse('sourcesMissing', 'sourceIds is empty; name at least one source, or leave sourceIds out to mean all')
  if (request.destinationIds?.length === 0)
    refuse(
      'destinationsMissing',
      'destinationIds is empty; name at least one destination, or leave destinationIds out to mean all',
    )
  if (regulationType === 'suppress' && destinationIds.length > 0)
    refuse('destinationsNotAllowed', 'destinationIds is not allowed with regulationType suppress; leave it out')
  if (regulationType === 'suppress_with_delete' && sourceIds.length > 0)
    refuse('sourcesNotAllowed', 'sourceIds is not allowed with regulationType suppress_with_delete; leave it out')
  const noSource = sourceIds.find((id) => !knownSources.has(id))
  if (noSource !== undefined)
    refuse('sourceUnknown', `sourceIds: there is no source ${shown(noSource)}; GET /v2/sources lists them`)
  const noDestination = destinationIds.find((id) => !destinations.has(id))
  if (noDestination !== undefined)
    refuse(
      'destinationUnknown',
      `destinationIds: there is no destination ${shown(noDestination)}; GET /v2/destinations lists them`,
    )
  if (users.length === 0) refuse('usersMissing', 'users is empty; name at least one')
  if (users.length > usersMax)
    refuse('usersTooMany', `users has ${users.length} elements, at most ${usersMax} are allowed; send several requests`)

  const storage = destinationIds.find((id) => destinations.get(id)?.isStorage)
  const problems: UserProblem[] = []
  const checked = users.map((user: unknown, index) => {
    // Checked although typed: users come from a request as parsed JSON.
    const message = isObject(user) ? problemOf(user, storage) : `must be an object with userId, not ${kindOf(user)}`
    if (message !== undefined) problems.push({ index, message })
    if (!isObject(user)) return { userId: '' }
    return cleaned(user as Readonly<Record<string, string>>)
  })
  const [first] = problems
  if (first)
    throw new RegulationError(
      'usersInvalid',
      `users[${first.index}]: ${first.message}${problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''}`,
      problems,
    )
  return checked
}

/** Blanks around an address or a number are no part of it; other identifiers are kept as they are. */
function cleaned(user: Readonly<Record<string, string>>): { readonly userId: string } {
  const known = ['email', 'phone'].flatMap((name) =>
    user[name] === undefined ? [] : [[name, identifierText(user[name])]],
  )
  return { ...user, ...Object.fromEntries(known), userId: identifierText(user['userId']) }
}

function isObject(user: unknown): user is RegulatedUser {
  return typeof user === 'object' && user !== null && !Array.isArray(user)
}

/** Describes a value by its kind only, because the value itself may be a user's id. */
function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  return value === null ? 'null' : `a ${typeof value}`
}

function problemOf(user: RegulatedUser, storage: string | undefined): string | undefined {
  const { userId } = user
  if (userId === undefined) return 'userId is missing'
  if (typeof userId !== 'string') return `userId must be a string, not ${typeof userId}`
  if (identifierText(userId) === '') return 'userId is blank'
  const keys = Object.keys(user)
  if (keys.length > identifiersMax) return `has ${keys.length} identifiers, at most ${identifiersMax} are allowed`
  const long = keys.find((key) => key.length > keyCharsMax)
  if (long !== undefined)
    return `an identifier's name has ${long.length} characters, at most ${keyCharsMax} are allowed`
  const bad = keys.find((key) => typeof user[key] !== 'string' || user[key].length > valueCharsMax)
  if (bad !== undefined) return `${bad} must be a string of at most ${valueCharsMax} characters`
  const custom = keys.find((key) => !standardIdentifiers.includes(key))
  if (custom !== undefined && storage !== undefined)
    return `${custom} is not accepted with destination ${storage}, which finds users by userId only; leave out one of them`
  return undefined
}

function refuse(code: RegulationErrorCode, message: string): never {
  throw new RegulationError(code, message)
}

const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 100) ?? String(value)
