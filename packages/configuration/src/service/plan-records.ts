import { isDeepStrictEqual } from 'node:util'
import { type Clock, isJsonObject, type JsonObject, type Random, uuidV4 } from '@sluice/core'
import { type DestinationRegistry, maskedText } from '@sluice/destinations/kit'
import { type Problem, shown } from '../definition/problems/problem.ts'
import { type ConfigurationRecord, keyText, type RecordKey, type RecordKind } from '../records/configuration-record.ts'
import type { RecordChanges } from '../records/configuration-store.ts'
import { recordProblems } from '../records/merge-records.ts'
import type { InTurn } from '../records/prepare-plans.ts'
import type { RecordIndex } from '../records/record-index.ts'
import { restoreSecrets } from '../records/restore-secrets.ts'
import type { ConfigurationChange } from './configuration.ts'
import { type ChangeProblem, type ConfigurationResult, done, refused } from './configuration-error.ts'
import { newWriteKey } from './new-write-key.ts'

// As in a workspace file.
const idPattern = /^[!-.0-~]{1,100}$/
const credentialPattern = /^[^\s].{0,99}$/
/** Most invalid records that a refusal lists. The changes after them are not looked at. */
const invalidMax = 100
/** Most records of a workspace. */
const recordsMax = 100_000
/** Most saved queries of a workspace: a person looks through the list. */
const queriesMax = 100
/** Changes that are planned in one turn: a few milliseconds. */
const changesPerTurn = 50

interface PlanParts {
  readonly destinations: DestinationRegistry
  readonly clock: Clock
  readonly random: Random
  readonly inTurn: InTurn
  /** Whether the workspace file names a record, or one like it. */
  isDefined(key: RecordKey, body: JsonObject): boolean
}

export interface PlannedRecords extends Required<RecordChanges> {
  /** All records as they would be. */
  readonly index: RecordIndex
  /** The records that the changes name, as they would be. */
  readonly saved: readonly ConfigurationRecord[]
  /** Position of the last change of each record that the changes name, by `keyText`. */
  readonly positions: ReadonlyMap<string, number>
}

/** Returns the records as they would be after some changes, not yet checked against each other. */
export async function planRecords(
  workspaceId: string,
  changes: readonly ConfigurationChange[],
  before: RecordIndex,
  parts: PlanParts,
): Promise<ConfigurationResult<PlannedRecords>> {
  const plan = new RecordPlan(workspaceId, before, parts)
  for (let start = 0; start < changes.length; start += changesPerTurn) {
    const end = await parts.inTurn(workspaceId, () => plan.addAll(changes, start, start + changesPerTurn))
    if (end) break
  }
  return plan.result()
}

/** A plan under way. */
class RecordPlan {
  readonly #workspaceId: string
  readonly #parts: PlanParts
  readonly #before: RecordIndex
  readonly #index: RecordIndex
  readonly #keys = new Map<string, RecordKey>()
  readonly #positions = new Map<string, number>()
  readonly #saved: ConfigurationRecord[] = []
  readonly #invalid: InvalidRecord[] = []
  /** Problems of form are found once more together with all others, but not when there are very many. */
  readonly #malformed: InvalidRecord[] = []
  #refusal: ConfigurationResult<never> | undefined

  constructor(workspaceId: string, before: RecordIndex, parts: PlanParts) {
    this.#workspaceId = workspaceId
    this.#before = before
    this.#index = before.draft()
    this.#parts = parts
  }

  /** Plans the changes of some positions. @returns whether the rest need not be looked at. */
  addAll(changes: readonly ConfigurationChange[], start: number, end: number): boolean {
    return changes.slice(start, end).some((change, offset) => this.#add(change, start + offset))
  }

  result(): ConfigurationResult<PlannedRecords> {
    if (this.#refusal) return this.#refusal
    if (this.#invalid.length > 0) return refusedAsInvalid(this.#invalid)
    const [before, index] = [this.#before, this.#index]
    const touched = [...this.#keys.values()]
    const put = touched.flatMap((key) => {
      const record = index.get(key)
      return record === undefined || record === before.get(key) ? [] : record
    })
    if (put.length > 0 && index.count(this.#workspaceId) > recordsMax)
      return refused('configurationFull', `a workspace holds at most ${recordsMax} records; delete some first`)
    if (put.some(({ kind }) => kind === 'query') && index.ofKind(this.#workspaceId, 'query').length > queriesMax)
      return refused('configurationFull', `a workspace holds at most ${queriesMax} saved queries; delete some first`)
    const remove = touched.filter((key) => before.get(key) !== undefined && index.get(key) === undefined)
    return done({ index, saved: this.#saved, positions: this.#positions, put, remove })
  }

  #add(change: ConfigurationChange, position: number): boolean {
    const { kind } = change
    const id = change.id ?? uuidV4(this.#parts.random)
    const key = { workspaceId: this.#workspaceId, kind, id }
    this.#keys.set(keyText(key), key)
    this.#positions.set(keyText(key), position)
    const planned = planOne(key, change, this.#index, this.#parts)
    if ('problems' in planned) return this.#invalid.push({ key, position, problems: planned.problems }) >= invalidMax
    if (!planned.ok) {
      this.#refusal = planned
      return true
    }
    const record = planned.value
    if (record === undefined) this.#index.remove(key)
    else if (record !== this.#index.get(key)) this.#index.put(record)
    if (record) this.#saved.push(record)
    const problems = record ? recordProblems(record) : []
    if (problems.length > 0 && this.#malformed.push({ key, position, problems }) >= invalidMax) {
      this.#refusal = refusedAsInvalid(this.#malformed)
      return true
    }
    // A destination that is created again under the same id is not paused.
    if (kind === 'destination' && record === undefined) {
      const pause = { workspaceId: this.#workspaceId, kind: 'pause', id } as const
      this.#keys.set(keyText(pause), pause)
      this.#index.remove(pause)
    }
    return false
  }
}

/** Everything that is wrong with one change. */
interface Invalid {
  readonly problems: readonly Problem[]
}

interface InvalidRecord extends Invalid {
  readonly key: RecordKey
  readonly position: number
}

/** Returns the refusal of changes because of invalid records, with all their problems. */
export function refusedAsInvalid(records: readonly InvalidRecord[]): ConfigurationResult<never> {
  const shownOnes = records.slice(0, invalidMax)
  const problems = shownOnes.flatMap(({ position, problems: ofOne }) =>
    ofOne.map((problem): ChangeProblem => ({ ...problem, change: position })),
  )
  const texts = shownOnes.map(({ key, problems: ofOne }) => `${nameOf(key.kind)} ${key.id}: ${problemsText(ofOne)}`)
  const rest = records.length < invalidMax ? [] : [`Only the first ${invalidMax} invalid records are listed.`]
  return refused('configurationInvalid', [...texts, ...rest].join('\n'), { problems })
}

/** Returns the record after a change: undefined when it is deleted, the present one when it stays as it is. */
function planOne(
  key: RecordKey,
  change: ConfigurationChange,
  index: RecordIndex,
  parts: PlanParts,
): ConfigurationResult<ConfigurationRecord | undefined> | Invalid {
  const { kind, id } = key
  const what = `${nameOf(kind)} ${id}`
  if (parts.isDefined(key, change.action === 'delete' ? {} : change.body))
    return refused('managedByFile', `${what} is defined by the workspace file; change it there`)
  const allowed = change.action === 'delete' ? undefined : allowedId(kind, id)
  if (allowed !== undefined) return invalid({ path: kind === 'credential' ? 'name' : 'id', value: shown(id), allowed })
  const before = index.get(key)
  if (change.action === 'create')
    return before
      ? refused('recordTaken', `${what} already exists; give another id, or change it`)
      : savedRecord(key, change, before, index, parts)
  if (change.ifRevision !== undefined && before?.revision !== change.ifRevision)
    return refused(
      'recordChanged',
      `${what} ${before ? `has revision ${before.revision}` : 'is gone'}, not revision ${change.ifRevision}; read it again`,
    )
  if (change.action === 'delete') return done(undefined)
  if (before === undefined && change.action === 'update')
    return refused('recordUnknown', `there is no ${what}; GET lists the existing ones`)
  return savedRecord(key, change, before, index, parts)
}

/** Returns what is allowed instead of an id that the parser does not see; undefined when it is fine. */
function allowedId(kind: RecordKind, id: string): string | undefined {
  if (kind === 'credential')
    return credentialPattern.test(id) ? undefined : 'up to 100 characters that do not begin with a space'
  if (kind === 'connection' || kind === 'token')
    return idPattern.test(id) ? undefined : 'up to 100 visible ASCII characters, no slash'
  return undefined
}

function savedRecord(
  key: RecordKey,
  change: Exclude<ConfigurationChange, { readonly action: 'delete' }>,
  before: ConfigurationRecord | undefined,
  index: RecordIndex,
  parts: PlanParts,
): ConfigurationResult<ConfigurationRecord> | Invalid {
  const changed = bodyAfter(key.kind, change.body, before?.body ?? {}, parts)
  if ('problems' in changed) return changed
  const { body } = changed
  const namesake = index.namesake(key, body)
  if (namesake)
    return refused(
      'recordTaken',
      key.kind === 'connection'
        ? `connection ${namesake.id} already connects this source with this destination; change that one`
        : `another ${nameOf(key.kind)} with this name already exists; give another name`,
    )
  const externalId = change.externalId ?? before?.externalId
  const twin = externalId === undefined ? undefined : index.externalTwin(key, externalId)
  if (twin)
    return refused(
      'externalIdTaken',
      `${nameOf(key.kind)} ${twin.id} has the external id ${externalId}; give another one`,
    )
  const now = parts.clock.now()
  if (before && before.externalId === externalId && isSameBody(key, before.body, body)) return done(before)
  return done({
    ...key,
    revision: (before?.revision ?? 0) + 1,
    createdAt: before?.createdAt ?? now,
    updatedAt: Math.max(now, before?.updatedAt ?? now),
    externalId,
    body,
  })
}

/** Returns whether two bodies are the same: the order of members does not count. Settings are kept as they were sent. */
function isSameBody({ kind, id }: RecordKey, a: JsonObject, b: JsonObject): boolean {
  const whole = (body: JsonObject): JsonObject => {
    if (kind === 'token' || kind === 'credential') return body
    const ofDestination = kind === 'destination' ? { type: String(body['type']).toUpperCase() } : {}
    return { name: kind === 'connection' ? undefined : id, enabled: true, settings: {}, ...body, ...ofDestination }
  }
  return isDeepStrictEqual(whole(a), whole(b))
}

/** Returns the body after a change: members that are not given stay, null removes one, masks become the stored secret. */
function bodyAfter(
  kind: RecordKind,
  given: JsonObject,
  before: JsonObject,
  { destinations, random }: PlanParts,
): { readonly body: JsonObject } | Invalid {
  const { id: _, ...members } = given
  const present = Object.entries({ ...before, ...members }).filter(([, value]) => value !== null && value !== undefined)
  const body: JsonObject = Object.fromEntries(present)
  if (kind === 'source') {
    const { writeKey = newWriteKey(random) } = body
    return { body: { ...body, writeKey: writeKey === maskedText ? (before['writeKey'] ?? writeKey) : writeKey } }
  }
  const { settings, type, transformation, token } = body
  if (kind === 'token' && String(token).startsWith('env:'))
    return invalid({ path: 'token', value: '(hidden)', allowed: 'sha256: and 64 hex digits' })
  if (kind !== 'destination') return { body }
  if (transformation !== undefined)
    return invalid({
      path: 'transformation',
      value: 'code',
      allowed: 'nothing: save the code as a transformation and connect it',
    })
  const definition = destinations.get(String(type))
  if (definition === undefined || !isJsonObject(settings)) return { body }
  const isSameType = destinations.get(String(before['type'])) === definition
  const stored = isSameType && isJsonObject(before['settings']) ? before['settings'] : undefined
  const restored = restoreSecrets(definition, settings, stored)
  const problems = restored.problems.map((problem) => ({ ...problem, path: `settings.${problem.path}` }))
  return problems.length === 0 ? { body: { ...body, settings: restored.settings } } : invalid(...problems)
}

function invalid(...problems: readonly Problem[]): Invalid {
  return { problems }
}

/** Returns problems as one text. */
function problemsText(problems: readonly Problem[]): string {
  return problems.map(({ path, value, allowed }) => `${path || 'it'} is ${value}; allowed is: ${allowed}`).join('; ')
}

/** What people call a kind. */
export function nameOf(kind: RecordKind): string {
  const names: Partial<Record<RecordKind, string>> = {
    token: 'access token',
    customType: 'custom type',
    plan: 'tracking plan',
    query: 'saved query',
  }
  return names[kind] ?? kind
}
