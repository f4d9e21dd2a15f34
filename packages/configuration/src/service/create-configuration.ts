import { createHash } from 'node:crypto'
import { type Clock, isJsonObject, type JsonObject, type Random, type Workspace } from '@sluice/core'
import type { DestinationRegistry } from '@sluice/destinations'
import { inOneForm } from '../definition/in-one-form.ts'
import type { ParsedWorkspaces } from '../definition/parse-workspaces.ts'
import { type Problem, WorkspaceFileError } from '../definition/problem.ts'
import { isPlanKind, keyText, type RecordKey } from '../records/configuration-record.ts'
import type { ConfigurationStore, StoredConfiguration } from '../records/configuration-store.ts'
import { type EffectiveConfiguration, noConfiguration } from '../records/effective-configuration.ts'
import { pairOf } from '../records/merge-records.ts'
import type { RecordContext } from '../records/parse-records.ts'
import type { InTurn } from '../records/prepare-plans.ts'
import { RecordIndex } from '../records/record-index.ts'
import {
  needsAll,
  type ResolvedChange,
  type ResolvedConfiguration,
  resolveChange,
  resolveRecords,
} from '../records/resolve-records.ts'
import { definedKey } from '../records/workspace-parts.ts'
import type { Configuration, ConfigurationEntry } from './configuration.ts'
import { type ConfigurationResult, done, refused } from './configuration-error.ts'
import { Entries, recordEntry } from './entries.ts'
import { newToken } from './new-token.ts'
import { newWriteKey } from './new-write-key.ts'
import { type PlannedRecords, planRecords } from './plan-records.ts'
import { planRefusal, waitingRefusal } from './plan-refusal.ts'
import { recordChanges } from './record-changes.ts'

export interface ConfigurationParts extends Pick<RecordContext, 'env' | 'refusal' | 'storedRefusal'> {
  readonly store: ConfigurationStore
  /** The present types. */
  readonly destinations: DestinationRegistry
  readonly clock: Clock
  readonly random: Random
  /** Runs a slice of long work in the turn of its workspace. */
  readonly inTurn: InTurn
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
  /** The same in all processes that have the same file. */
  readonly file: string
  /** Number of the stored configuration that is in it. */
  readonly revision: number
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
  let definedText = JSON.stringify(defined)
  let revision = 0
  let records = new RecordIndex()
  let effective: EffectiveConfiguration = noConfiguration
  const entries = new Entries(parts.destinations)
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

  const contextWith = (destinations: DestinationRegistry): RecordContext => ({
    destinations,
    env: parts.env,
    ...(parts.refusal ? { refusal: parts.refusal } : {}),
    ...(parts.storedRefusal ? { storedRefusal: parts.storedRefusal } : {}),
  })

  const digestsOf = (text: string, revision: number) => ({
    digest: digestOf(`[${text},${revision}]`),
    file: digestOf(text),
    revision,
  })

  /** Puts a configuration into effect. What was in effect stays when it fails. */
  const use = async ({ next, settle }: ResolvedConfiguration, at: number): Promise<void> => {
    await parts.apply({ workspaces: workspacesIn(next), ...digestsOf(definedText, at) })
    settle()
    effective = next
    revision = at
    reportLeftOut()
  }

  const reportLeftOut = (): void => {
    const now = new Set<string>()
    for (const { record, problems } of effective.leftOut.values()) {
      const text = JSON.stringify([keyText(record), problems])
      now.add(text)
      const { workspaceId, kind, id } = record
      if (!reported.has(text)) parts.onLeftOut?.({ workspaceId, kind, id }, problems)
    }
    reported = now
  }

  const isDefined = ({ workspaceId, kind, id }: RecordKey, body: JsonObject): boolean => {
    const workspace = effective.workspaces.get(workspaceId)
    if (workspace === undefined || kind === 'pause' || isPlanKind(kind)) return false
    if (kind === 'workspace') return workspace.record === undefined
    if (workspace.parts[kind].has(definedKey(id))) return true
    if (kind === 'connection') return workspace.defined.connection.has(pairOf(body))
    return kind === 'token' && workspace.defined.token.has(String(body['name']))
  }

  /** Parses what changes of one workspace result in: them alone or, where others depend on them, everything. */
  const resolve = async (workspaceId: string, planned: RecordChangesOf): Promise<ResolvedChange> => {
    const context = contextWith(parts.destinations)
    if (!needsAll(effective, workspaceId)) return resolveChange(effective, workspaceId, planned, context, parts.inTurn)
    const all = await resolveRecords(defined, planned.index.records(), context, parts.inTurn)
    const broken = [...all.next.leftOut].flatMap(([text, { record }]) =>
      effective.leftOut.has(text) ? [] : [{ record }],
    )
    return { ...all, invalid: all.next.leftOut, broken: all.problems.length > 0 ? [{}, ...broken] : broken }
  }

  /** Takes back what was stored, as far as it is still there, because it could not be applied. */
  const undo = async (planned: PlannedRecords, committed: number): Promise<void> => {
    const put = [...planned.put, ...planned.remove].flatMap((key) => records.get(key) ?? [])
    const remove = planned.put.filter((key) => records.get(key) === undefined)
    let basedOn = committed
    for (let attempts = 0; attempts < attemptsMax; attempts += 1) {
      const undone = await store.commit({ put, remove }, basedOn)
      // Where another process changed something in between, the next change reads it first.
      if (undone !== undefined && basedOn === committed) revision = undone
      if (undone !== undefined) return
      basedOn = await store.revision()
    }
  }

  const useAll = async (next: StoredConfiguration): Promise<void> => {
    const result = await resolveRecords(defined, next.records, contextWith(parts.destinations), parts.inTurn)
    if (result.problems.length > 0) throw new WorkspaceFileError(result.problems)
    await use(result, next.revision)
    records = new RecordIndex(next.records)
  }

  /** Reads what is stored, and parses what others changed. */
  const readAgain = async (): Promise<void> => {
    if ((await store.revision()) === revision) return use({ next: effective, settle: () => {} }, revision)
    const next = await store.read()
    const changes = recordChanges(records, next.records)
    const [workspaceId, ...more] = new Set([...changes.put, ...changes.remove].map((key) => key.workspaceId))
    if (workspaceId === undefined) return use({ next: effective, settle: () => {} }, next.revision)
    if (more.length > 0 || needsAll(effective, workspaceId)) return useAll(next)
    const context = contextWith(parts.destinations)
    const result = await resolveChange(effective, workspaceId, changes, context, parts.inTurn)
    if (result.invalid.size + result.broken.length > 0) return useAll(next)
    await use(result, next.revision)
    records.apply(changes)
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
          const planned = await planRecords(workspaceId, changes, records, { ...parts, isDefined })
          if (!planned.ok) return planned
          const { put, remove, saved } = planned.value
          const answer = (shown: EffectiveConfiguration) =>
            done(
              saved.flatMap((record) => {
                const { kind, id } = record
                return isPlanKind(kind) ? recordEntry(record) : (entries.find(shown, workspaceId, kind, id) ?? [])
              }),
            )
          const resolved = await resolve(workspaceId, planned.value)
          const refusal =
            planRefusal(planned.value, resolved) ??
            (force ? undefined : await waitingRefusal(planned.value, parts.waiting))
          if (refusal) return refusal
          if (put.length + remove.length === 0) return answer(effective)
          if (validateOnly) return answer(resolved.next)
          const committed = await store.commit({ put, remove }, revision)
          if (committed === undefined) {
            await readAgain()
            continue
          }
          try {
            await use(resolved, committed)
          } catch (error) {
            await undo(planned.value, committed)
            throw error
          }
          records.apply({ put, remove })
          return answer(effective)
        }
        return refused('configurationBusy', 'other processes keep changing the configuration; try again later')
      },
    )
    // Outside of the turn: this process applies changes of others meanwhile.
    if (changed.ok && !validateOnly) await parts.everywhere?.()
    return changed
  }

  return {
    list: (workspaceId, kind) =>
      isPlanKind(kind)
        ? records.ofKind(workspaceId, kind).map(recordEntry)
        : entries.list(effective, workspaceId, kind),
    find(workspaceId, kind, id) {
      if (!isPlanKind(kind)) return entries.find(effective, workspaceId, kind, id)
      const record = records.get({ workspaceId, kind, id })
      return record && recordEntry(record)
    },
    sentSettings(workspaceId, id) {
      const { settings } = records.get({ workspaceId, kind: 'destination', id })?.body ?? {}
      return isJsonObject(settings) ? settings : undefined
    },
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
      const source = entries.find(effective, workspaceId, 'source', sourceId)
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
      if (entries.find(effective, workspaceId, 'destination', id) === undefined)
        return refused('recordUnknown', `there is no destination ${id}`)
      const key = { kind: 'pause', id } as const
      const changed = await change(workspaceId, [
        isPaused ? { action: 'put', ...key, body: {} } : { action: 'delete', ...key },
      ])
      if (!changed.ok) return changed
      return done(records.get({ workspaceId, ...key })?.createdAt)
    },
    async define(definition, destinations) {
      const file = inOneForm(definition)
      await inTurn(async () => {
        const stored = await store.read()
        const types = destinations ?? parts.destinations
        const result = await resolveRecords(file, stored.records, contextWith(types), parts.inTurn)
        const problems = [...result.problems, ...(await parts.check(result.parsed))]
        if (problems.length > 0) throw new WorkspaceFileError(problems)
        const text = JSON.stringify(file)
        const applied = { workspaces: workspacesIn(result.next), ...digestsOf(text, stored.revision) }
        await parts.apply(destinations ? { ...applied, destinations } : applied)
        result.settle()
        ;[defined, definedText, effective] = [file, text, result.next]
        ;[records, revision] = [new RecordIndex(stored.records), stored.revision]
        reportLeftOut()
      })
    },
    reload: () => inTurn(readAgain),
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

type RecordChangesOf = Pick<PlannedRecords, 'index' | 'put' | 'remove'>

function workspacesIn({ workspaces }: EffectiveConfiguration): readonly Workspace[] {
  return [...workspaces.values()].map(({ workspace }) => workspace)
}
