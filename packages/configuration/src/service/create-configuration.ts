import { createHash } from 'node:crypto'
import type { Clock, JsonObject, Random, Workspace } from '@sluice/core'
import type { DestinationRegistry } from '@sluice/destinations'
import { inOneForm } from '../definition/in-one-form.ts'
import type { ParsedWorkspaces } from '../definition/parse-workspaces.ts'
import { type Problem, WorkspaceFileError } from '../definition/problem.ts'
import { keyText, type RecordKey } from '../records/configuration-record.ts'
import type { ConfigurationStore, StoredConfiguration } from '../records/configuration-store.ts'
import { pairOf } from '../records/merge-records.ts'
import { type ResolveContext, type ResolvedConfiguration, resolveRecords } from '../records/resolve-records.ts'
import type { Configuration, ConfigurationEntry } from './configuration.ts'
import { type ConfigurationResult, done, refused } from './configuration-error.ts'
import { elements, entriesOf, type WorkspaceEntries, workspacesOf } from './entries.ts'
import { newToken } from './new-token.ts'
import { newWriteKey } from './new-write-key.ts'
import { type PlannedRecords, planRecords } from './plan-records.ts'
import { planRefusal, waitingRefusal } from './plan-refusal.ts'

export interface ConfigurationParts extends Pick<ResolveContext, 'env' | 'refusal' | 'storedRefusal'> {
  readonly store: ConfigurationStore
  /** The present types. */
  readonly destinations: DestinationRegistry
  readonly clock: Clock
  readonly random: Random
  /** Returns what else is wrong with what a file defines, such as code that does not load. */
  check(parsed: ParsedWorkspaces): Promise<readonly Problem[]>
  /** Puts workspaces into effect between two batches, all or none. */
  apply(applied: AppliedWorkspaces): Promise<void>
  /** Resolves when all processes that share the store have applied what is stored. */
  everywhere?(): Promise<void>
  /** Returns the number of events that were accepted for a destination and have not ended. */
  waiting(workspaceId: string, destinationId: string): Promise<number>
  /** Called when a stored record is not in use, once for each record and reason. */
  onLeftOut?(key: RecordKey, problems: readonly Problem[]): void
}

export interface AppliedWorkspaces {
  readonly workspaces: readonly Workspace[]
  /** The same in all processes that have the same configuration. */
  readonly digest: string
  /** Types that come with it; default the present ones. */
  readonly destinations?: DestinationRegistry
}

/** Most changes of one workspace that may wait. */
const waitingMax = 20
/** Most attempts of a change while other processes change something. */
const attemptsMax = 5

export function createConfiguration(parts: ConfigurationParts): Configuration {
  const { store, clock, random } = parts
  let defined: unknown = { workspaces: [] }
  let stored: StoredConfiguration = { revision: 0, records: [] }
  let resolved: ResolvedConfiguration | undefined
  let shown = new Map<string, WorkspaceEntries>()
  let reported = new Set<string>()
  let turns: Promise<unknown> = Promise.resolve()
  const waiting = new Map<string, number>()

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turns.then(work)
    turns = mine.catch(() => {})
    return mine
  }

  const inTurnOf = async <T>(workspaceId: string, work: () => Promise<T>): Promise<T> => {
    waiting.set(workspaceId, (waiting.get(workspaceId) ?? 0) + 1)
    try {
      return await inTurn(work)
    } finally {
      const left = (waiting.get(workspaceId) ?? 0) - 1
      if (left > 0) waiting.set(workspaceId, left)
      else waiting.delete(workspaceId)
    }
  }

  const resolve = (definition: unknown, records: StoredConfiguration['records'], destinations = parts.destinations) =>
    resolveRecords(definition, records, {
      destinations,
      env: parts.env,
      ...(parts.refusal ? { refusal: parts.refusal } : {}),
      ...(parts.storedRefusal ? { storedRefusal: parts.storedRefusal } : {}),
    })

  /** Puts a configuration into effect. What was in effect stays when it fails. */
  const use = async (
    definition: unknown,
    next: StoredConfiguration,
    result: ResolvedConfiguration,
    destinations?: DestinationRegistry,
  ): Promise<void> => {
    const digest = createHash('sha256')
      .update(JSON.stringify([definition, next.revision]))
      .digest('hex')
    await parts.apply({ workspaces: result.workspaces, digest, ...(destinations ? { destinations } : {}) })
    defined = definition
    stored = next
    resolved = result
    shown = new Map()
    reportLeftOut(result)
  }

  const reportLeftOut = ({ leftOut }: ResolvedConfiguration): void => {
    const now = new Set<string>()
    for (const record of stored.records) {
      const problems = leftOut.get(keyText(record))
      if (problems === undefined) continue
      const text = JSON.stringify([keyText(record), problems])
      now.add(text)
      const { workspaceId, kind, id } = record
      if (!reported.has(text)) parts.onLeftOut?.({ workspaceId, kind, id }, problems)
    }
    reported = now
  }

  const entries = (workspaceId: string): WorkspaceEntries => {
    if (resolved === undefined) return new Map()
    const known = shown.get(workspaceId) ?? entriesOf(workspaceId, resolved, stored.records, parts.destinations)
    shown.set(workspaceId, known)
    return known
  }

  const isDefined = ({ workspaceId, kind, id }: RecordKey, body: JsonObject): boolean => {
    if (entries(workspaceId).get(kind)?.get(id)?.managedBy === 'file') return true
    const workspace = workspacesOf(defined).find((each) => each['id'] === workspaceId)
    if (workspace === undefined) return false
    if (kind === 'connection') return elements(workspace, 'connections').some((each) => pairOf(each) === pairOf(body))
    return kind === 'token' && elements(workspace, 'accessTokens').some(({ name }) => name === body['name'])
  }

  /** Takes back what was stored, as far as it is still there, because it could not be applied. */
  const undo = async (planned: PlannedRecords, before: StoredConfiguration): Promise<void> => {
    const old = new Map(before.records.map((record) => [keyText(record), record]))
    const touched = [...planned.put, ...planned.remove]
    const put = touched.flatMap((key) => old.get(keyText(key)) ?? [])
    const remove = planned.put.filter((key) => !old.has(keyText(key)))
    for (let attempts = 0; attempts < attemptsMax; attempts += 1) {
      const { revision } = await store.read()
      if ((await store.commit({ put, remove }, revision)) !== undefined) return
    }
  }

  const readAgain = async (): Promise<void> => {
    const next = await store.read()
    const result = resolve(defined, next.records)
    if (result.problems.length > 0) throw new WorkspaceFileError(result.problems)
    await use(defined, next, result)
  }

  const change: Configuration['change'] = async (
    workspaceId,
    changes,
    { validateOnly = false, force = false } = {},
  ) => {
    if ((waiting.get(workspaceId) ?? 0) >= waitingMax)
      return refused('configurationBusy', `${waitingMax} changes of the workspace are waiting; try again later`)
    const changed = await inTurnOf(
      workspaceId,
      async (): Promise<ConfigurationResult<readonly ConfigurationEntry[]>> => {
        for (let attempts = 0; attempts < attemptsMax; attempts += 1) {
          const planned = planRecords(workspaceId, changes, stored.records, { ...parts, isDefined })
          if (!planned.ok) return planned
          const { put, remove, records, saved } = planned.value
          const next = resolve(defined, records)
          const refusal =
            planRefusal(planned.value, next, resolved) ??
            (force ? undefined : await waitingRefusal(planned.value, parts.waiting))
          if (refusal) return refusal
          const answer = (entriesNow: WorkspaceEntries) =>
            done(saved.flatMap(({ kind, id }) => entriesNow.get(kind)?.get(id) ?? []))
          if (put.length + remove.length === 0) return answer(entries(workspaceId))
          if (validateOnly) return answer(entriesOf(workspaceId, next, records, parts.destinations))
          const before = stored
          const revision = await store.commit({ put, remove }, before.revision)
          if (revision === undefined) {
            await readAgain()
            continue
          }
          try {
            await use(defined, { revision, records }, next)
          } catch (error) {
            await undo(planned.value, before)
            stored = await store.read()
            throw error
          }
          return answer(entries(workspaceId))
        }
        return refused('configurationBusy', 'other processes keep changing the configuration; try again later')
      },
    )
    // Outside of the turn: this process applies changes of others meanwhile.
    if (changed.ok && !validateOnly) await parts.everywhere?.()
    return changed
  }

  return {
    list: (workspaceId, kind) => [...(entries(workspaceId).get(kind)?.values() ?? [])],
    find: (workspaceId, kind, id) => entries(workspaceId).get(kind)?.get(id),
    change,
    async createToken(workspaceId, { name, scopes }, options) {
      const { text: token, hash } = newToken(random)
      const body = { name, token: hash, ...(scopes ? { scopes } : {}) }
      const created = await change(workspaceId, [{ action: 'create', kind: 'token', body }], options)
      if (!created.ok) return created
      const [entry] = created.value
      return entry ? done({ entry, token }) : refused('recordUnknown', 'the workspace is gone')
    },
    async rotateWriteKey(workspaceId, sourceId, { validForMs, ifRevision, ...options }) {
      const source = entries(workspaceId).get('source')?.get(sourceId)
      const { writeKey } = source?.body ?? {}
      const validUntil = new Date(clock.now() + validForMs).toISOString()
      const changed = await change(
        workspaceId,
        [
          {
            action: 'update',
            kind: 'source',
            id: sourceId,
            ...(ifRevision === undefined ? {} : { ifRevision }),
            body: {
              writeKey: newWriteKey(random),
              formerWriteKey: validForMs > 0 && writeKey !== undefined ? { writeKey, validUntil } : null,
            },
          },
        ],
        options,
      )
      if (!changed.ok) return changed
      const [entry] = changed.value
      return entry ? done(entry) : refused('recordUnknown', `there is no source ${sourceId}`)
    },
    async setPaused(workspaceId, id, isPaused) {
      if (!entries(workspaceId).get('destination')?.has(id))
        return refused('recordUnknown', `there is no destination ${id}`)
      const key = { kind: 'pause', id } as const
      const changed = await change(workspaceId, [
        isPaused ? { action: 'put', ...key, body: {} } : { action: 'delete', ...key },
      ])
      if (!changed.ok) return changed
      const text = keyText({ workspaceId, ...key })
      return done(stored.records.find((record) => keyText(record) === text)?.createdAt)
    },
    async define(definition, destinations) {
      const file = inOneForm(definition)
      await inTurn(async () => {
        const next = await store.read()
        const result = resolve(file, next.records, destinations)
        const problems = [...result.problems, ...(await parts.check(result))]
        if (problems.length > 0) throw new WorkspaceFileError(problems)
        await use(file, next, result, destinations)
      })
    },
    reload: () => inTurn(readAgain),
  }
}
