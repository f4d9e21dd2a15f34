import { type BudgetShare, type Clock, type Random, SharedBudget, type Source, type Workspace } from '@sluice/core'
import { changedPart } from '@sluice/core/changed-part'
import { defaultSchemaLimits, type SchemaLimits } from '../schema-limits.ts'
import type { ValueMemory } from '../values/value-counter.ts'
import { createObserveStage, type ObserveStage } from './observe-stage.ts'

/** Origin of the events: from the log, whose observations are stored with its cursor, or direct. */
export type ObservedFrom = 'log' | 'direct'

/** The observe stages of a process. What they hold in memory survives a change of the workspace. */
export interface Observers {
  /**
   * Returns the stage of a workspace, created if necessary. The current settings of its sources apply from the next
   * event on.
   */
  of(workspace: Workspace, from?: ObservedFrom): ObserveStage
  /** Returns all stages of a workspace. */
  all(workspaceId: string): readonly ObserveStage[]
  /** Returns the bytes that the counters of a workspace use in memory, and the part of the limit reserved for it. */
  memory(workspaceId: string): { readonly held: number; readonly reserved: number; readonly limit: number }
}

export interface ObserversOptions {
  readonly clock: Clock
  readonly random: Random
  readonly limits?: Partial<SchemaLimits>
}

interface Configured {
  readonly stage: ObserveStage
  sources: readonly Source[]
  /** What the sources set, as JSON text. */
  text: string
}

export function createObservers(options: ObserversOptions): Observers {
  const budget = new SharedBudget(options.limits?.valueMemoryBytesMax ?? defaultSchemaLimits.valueMemoryBytesMax)
  const stages = new Map<string, Map<ObservedFrom, Configured>>()
  return {
    of: ({ id, sources }, from = 'log') => {
      const ofWorkspace = stages.get(id) ?? new Map()
      stages.set(id, ofWorkspace)
      const known = ofWorkspace.get(from) ?? {
        stage: createObserveStage({ ...options, memory: memoryOf(budget.share(id)) }),
        sources: [],
        text: '[]',
      }
      ofWorkspace.set(from, known)
      const { removed, added } = changedPart(known.sources, sources)
      known.sources = sources
      // Most sources set nothing, and there may be many: then nothing is looked through but what changed.
      if (![...removed, ...added].some(({ observe }) => observe)) return known.stage
      const observed = sources.flatMap(({ writeKey, observe }) =>
        observe === undefined ? [] : { writeKey, ...observe },
      )
      const text = JSON.stringify(observed)
      if (text !== known.text) known.stage.configure(observed)
      known.text = text
      return known.stage
    },
    memory: (workspaceId) => {
      const { held, reserved } = budget.share(workspaceId)
      return { held, reserved, limit: budget.total }
    },
    all: (workspaceId) => [...(stages.get(workspaceId)?.values() ?? [])].map(({ stage }) => stage),
  }
}

/** A workspace's share of the memory for value counters. */
function memoryOf(share: BudgetShare): ValueMemory {
  return {
    get bytes() {
      return share.held
    },
    set bytes(bytes) {
      share.take(bytes - share.held)
    },
    get isFull() {
      return !share.admits
    },
  }
}
