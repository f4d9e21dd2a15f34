import { createHash } from 'node:crypto'
import type { JsonObject, Workspace } from '@sluice/core'
import { repeatOnConflict } from '@sluice/core/repeat-on-conflict'
import type { DestinationRegistry } from '@sluice/destinations'
import { inOneForm } from '../definition/in-one-form.ts'
import { WorkspaceFileError } from '../definition/problems/problem.ts'
import { unknownSettingsIn } from '../definition/problems/unknown-settings.ts'
import { isAsideKind, keyText, type RecordKey } from '../records/configuration-record.ts'
import type { RecordChanges, StoredConfiguration } from '../records/configuration-store.ts'
import { type EffectiveConfiguration, noConfiguration } from '../records/effective-configuration.ts'
import { pairOf } from '../records/merge-records.ts'
import type { RecordContext } from '../records/parse-records.ts'
import { RecordIndex } from '../records/record-index.ts'
import {
  needsAll,
  type ResolvedChange,
  type ResolvedConfiguration,
  resolveChange,
  resolveRecords,
} from '../records/resolve-records.ts'
import { definedKey } from '../records/workspace-parts.ts'
import type { ConfigurationParts } from './configuration-parts.ts'
import type { PlannedRecords } from './plan-records.ts'
import { recordChanges } from './record-changes.ts'

/**
 * The configuration that is in effect: what the file of this process defines, with the records of the store as they were
 * read last. Its methods must not overlap.
 */
export class CurrentConfiguration {
  readonly #parts: ConfigurationParts
  #defined: unknown = { workspaces: [] }
  #definedText = JSON.stringify(this.#defined)
  #revision = 0
  #records = new RecordIndex()
  #effective: EffectiveConfiguration = noConfiguration
  /** What was reported as not in use. */
  #reported = new Set<string>()

  constructor(parts: ConfigurationParts) {
    this.#parts = parts
  }

  get effective(): EffectiveConfiguration {
    return this.#effective
  }

  /** The records of the store. */
  get records(): RecordIndex {
    return this.#records
  }

  /** Number of the stored configuration that is in effect. */
  get revision(): number {
    return this.#revision
  }

  /** Whether the file names a record, or one like it. */
  isDefined({ workspaceId, kind, id }: RecordKey, body: JsonObject): boolean {
    const workspace = this.#effective.workspaces.get(workspaceId)
    if (workspace === undefined || kind === 'pause' || isAsideKind(kind)) return false
    if (kind === 'workspace') return workspace.record === undefined
    if (workspace.parts[kind].has(definedKey(id))) return true
    if (kind === 'connection') return workspace.defined.connection.has(pairOf(body))
    return kind === 'token' && workspace.defined.token.has(String(body['name']))
  }

  /**
   * Replaces what the file defines, all or nothing.
   * @param destinations types that come with it; default the present ones.
   * @throws WorkspaceFileError
   */
  async define(definition: unknown, destinations?: DestinationRegistry): Promise<void> {
    const { store, check, apply, onUnknownSettings } = this.#parts
    const file = inOneForm(definition)
    const stored = await store.read()
    const context = this.#contextWith(destinations ?? this.#parts.destinations)
    const result = await resolveRecords(file, stored.records, context, this.#parts.inTurn)
    const unknown = unknownSettingsIn(file, context.destinations)
    const problems = [...result.problems, ...unknown.problems, ...(await check(result.parsed))]
    if (problems.length > 0) throw new WorkspaceFileError(problems)
    const text = JSON.stringify(file)
    const applied = { workspaces: workspacesIn(result.next), ...digestsOf(text, stored.revision) }
    await apply(destinations ? { ...applied, destinations } : applied)
    result.settle()
    this.#defined = file
    this.#definedText = text
    this.#effective = result.next
    this.#records = new RecordIndex(stored.records)
    this.#revision = stored.revision
    this.#reportLeftOut()
    if (unknown.accepted.length > 0) onUnknownSettings?.(unknown.accepted)
  }

  /** Parses what changes of one workspace result in: them alone or, where others depend on them, everything. */
  async resolve(
    workspaceId: string,
    planned: Pick<PlannedRecords, 'index' | 'put' | 'remove'>,
  ): Promise<ResolvedChange> {
    const { inTurn } = this.#parts
    const before = this.#effective
    if (!needsAll(before, workspaceId)) return resolveChange(before, workspaceId, planned, this.#context, inTurn)
    const all = await resolveRecords(this.#defined, planned.index.records(), this.#context, inTurn)
    const broken = [...all.next.leftOut].flatMap(([text, { record }]) => (before.leftOut.has(text) ? [] : [{ record }]))
    return { ...all, invalid: all.next.leftOut, broken: all.problems.length > 0 ? [{}, ...broken] : broken }
  }

  /**
   * Stores changes and puts them into effect.
   * @returns false when another process has changed something since the store was read; nothing is changed then.
   */
  async commit(planned: PlannedRecords, resolved: ResolvedChange): Promise<boolean> {
    const { put, remove } = planned
    const committed = await this.#parts.store.commit({ put, remove }, this.#revision)
    if (committed === undefined) return false
    try {
      await this.#use(resolved, committed)
    } catch (error) {
      await this.#undo(planned, committed)
      throw error
    }
    this.#records.apply({ put, remove })
    return true
  }

  /** Reads what is stored, and parses what others changed. */
  async readAgain(): Promise<void> {
    const { store, inTurn } = this.#parts
    if ((await store.revision()) === this.#revision) return this.#useAsItIs(this.#revision)
    const next = await store.read()
    const changes: Required<RecordChanges> = recordChanges(this.#records, next.records)
    const [workspaceId, ...more] = new Set([...changes.put, ...changes.remove].map((key) => key.workspaceId))
    if (workspaceId === undefined) return this.#useAsItIs(next.revision)
    if (more.length > 0 || needsAll(this.#effective, workspaceId)) return this.#useAll(next)
    const result = await resolveChange(this.#effective, workspaceId, changes, this.#context, inTurn)
    if (result.invalid.size + result.broken.length > 0) return this.#useAll(next)
    await this.#use(result, next.revision)
    this.#records.apply(changes)
  }

  get #context(): RecordContext {
    return this.#contextWith(this.#parts.destinations)
  }

  #contextWith(destinations: DestinationRegistry): RecordContext {
    const { env, refusal, storedRefusal } = this.#parts
    return { destinations, env, refusal, storedRefusal }
  }

  /** Puts a configuration into effect. What was in effect stays when it fails. */
  async #use({ next, settle }: ResolvedConfiguration, at: number): Promise<void> {
    await this.#parts.apply({ workspaces: workspacesIn(next), ...digestsOf(this.#definedText, at) })
    settle()
    this.#effective = next
    this.#revision = at
    this.#reportLeftOut()
  }

  #useAsItIs(at: number): Promise<void> {
    return this.#use({ next: this.#effective, settle: () => {} }, at)
  }

  async #useAll(next: StoredConfiguration): Promise<void> {
    const result = await resolveRecords(this.#defined, next.records, this.#context, this.#parts.inTurn)
    if (result.problems.length > 0) throw new WorkspaceFileError(result.problems)
    await this.#use(result, next.revision)
    this.#records = new RecordIndex(next.records)
  }

  /** Takes back what was stored, as far as it is still there, because it could not be applied. */
  async #undo(planned: PlannedRecords, committed: number): Promise<void> {
    const { store } = this.#parts
    const put = [...planned.put, ...planned.remove].flatMap((key) => this.#records.get(key) ?? [])
    const remove = planned.put.filter((key) => this.#records.get(key) === undefined)
    await repeatOnConflict(async (attempt) => {
      const undone = await store.commit({ put, remove }, attempt === 1 ? committed : await store.revision())
      // Where another process changed something in between, the next change reads it first.
      if (undone !== undefined && attempt === 1) this.#revision = undone
      return undone
    })
  }

  #reportLeftOut(): void {
    const now = new Set<string>()
    for (const { record, problems } of this.#effective.leftOut.values()) {
      const text = JSON.stringify([keyText(record), problems])
      now.add(text)
      const { workspaceId, kind, id } = record
      if (!this.#reported.has(text)) this.#parts.onLeftOut?.({ workspaceId, kind, id }, problems)
    }
    this.#reported = now
  }
}

/** What tells processes whether they have the same configuration, and the same file. */
function digestsOf(text: string, revision: number) {
  return { digest: digestOf(`[${text},${revision}]`), file: digestOf(text), revision }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function workspacesIn({ workspaces }: EffectiveConfiguration): readonly Workspace[] {
  return [...workspaces.values()].map(({ workspace }) => workspace)
}
