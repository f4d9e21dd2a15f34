import { createKeyedQueue } from '@sluice/core'
import { repeatOnConflict } from '@sluice/core/repeat-on-conflict'
import { isAsideKind, type RecordKey } from '../records/configuration-record.ts'
import type { EffectiveConfiguration } from '../records/effective-configuration.ts'
import type { Configuration, ConfigurationEntry } from './configuration.ts'
import { type ConfigurationResult, done, refused } from './configuration-error.ts'
import type { ChangedRecord, ConfigurationParts } from './configuration-parts.ts'
import type { CurrentConfiguration } from './current-configuration.ts'
import { type Entries, recordEntry } from './entries.ts'
import { type PlannedRecords, planRecords } from './plan-records.ts'
import { planRefusal, waitingRefusal } from './plan-refusal.ts'

/** Most changes of one workspace that may wait. */
const waitingMax = 20

interface ChangeParts {
  readonly parts: ConfigurationParts
  readonly current: CurrentConfiguration
  readonly entries: Entries
  /** Runs work when no other work on the configuration is under way. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>
}

type Changed = ConfigurationResult<readonly ConfigurationEntry[]>

/** Returns the function that changes records: it plans, checks, stores and applies changes of one workspace, all or none. */
export function createChange({ parts, current, entries, inTurn }: ChangeParts): Configuration['change'] {
  const waiting = createKeyedQueue(waitingMax)

  /** The records that a plan names, as they are in a configuration. */
  const shown = (workspaceId: string, { saved }: PlannedRecords, configuration: EffectiveConfiguration): Changed =>
    done(
      saved.flatMap((record) => {
        const { kind, id } = record
        return isAsideKind(kind) ? recordEntry(record) : (entries.find(configuration, workspaceId, kind, id) ?? [])
      }),
    )

  /** The entry of a key now. */
  const entryOf = ({ workspaceId, kind, id }: RecordKey): ConfigurationEntry | undefined => {
    if (!isAsideKind(kind)) return entries.find(current.effective, workspaceId, kind, id)
    const record = current.records.get({ workspaceId, kind, id })
    return record && recordEntry(record)
  }

  return async (workspaceId, changes, { validateOnly = false, force = false } = {}) => {
    if (waiting.isFull(workspaceId))
      return refused('configurationBusy', `${waitingMax} changes of the workspace are waiting; try again later`)
    const isDefined = current.isDefined.bind(current)
    let made: readonly ChangedRecord[] = []
    const once = async (): Promise<Changed | undefined> => {
      const plan = await planRecords(workspaceId, changes, current.records, { ...parts, isDefined })
      if (!plan.ok) return plan
      const planned = plan.value
      const resolved = await current.resolve(workspaceId, planned)
      const refusal =
        planRefusal(planned, resolved) ?? (force ? undefined : await waitingRefusal(planned, parts.waiting))
      if (refusal) return refusal
      if (planned.put.length + planned.remove.length === 0) return shown(workspaceId, planned, current.effective)
      if (validateOnly) return shown(workspaceId, planned, resolved.next)
      const removed = new Set<RecordKey>(planned.remove)
      const touched = [...planned.put, ...planned.remove].map((key) => ({
        key,
        isNew: current.records.get(key) === undefined,
        before: entryOf(key),
      }))
      if (await current.commit(planned, resolved)) {
        made = touched.map(({ key, isNew, before }) => {
          const { kind, id } = key
          const action = removed.has(key) ? 'deleted' : isNew ? 'created' : 'changed'
          return { kind, id, action, before, after: action === 'deleted' ? undefined : entryOf(key) }
        })
        return shown(workspaceId, planned, current.effective)
      }
      await current.readAgain()
      return undefined
    }
    const changed =
      (await waiting.run(workspaceId, () => inTurn(() => repeatOnConflict(once)))) ??
      refused('configurationBusy', 'other processes keep changing the configuration; try again later')
    // Outside of the turn: this process applies changes of others meanwhile.
    if (changed.ok && !validateOnly) await parts.everywhere?.()
    if (made.length > 0) await parts.onChanged?.(workspaceId, made)
    return changed
  }
}
