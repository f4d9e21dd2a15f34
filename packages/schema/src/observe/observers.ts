import { type BudgetShare, type Clock, type Random, SharedBudget, type Workspace } from '@sluice/core'
import { defaultSchemaLimits, type SchemaLimits } from '../catalogue/schema-limits.ts'
import { createObserveStage, type ObserveStage } from './observe-stage.ts'
import type { ValueMemory } from './value-counter.ts'

/** Where the events come from: what is observed is stored with the cursor of the log, or by itself. */
export type ObservedFrom = 'log' | 'direct'

/** The observe stages of a process: what they hold in memory outlives a change of the workspace. */
export interface Observers {
  /** A stage of a workspace, made when there is none; what its sources let be kept holds from the next event on. */
  of(workspace: Workspace, from?: ObservedFrom): ObserveStage
  /** All there are of a workspace. */
  all(workspaceId: string): readonly ObserveStage[]
  /** Bytes that the counters of a workspace take in memory, and the part of the limit that is kept for it. */
  memory(workspaceId: string): { readonly held: number; readonly reserved: number; readonly limit: number }
}

export interface ObserversOptions {
  readonly clock: Clock
  readonly random: Random
  readonly limits?: Partial<SchemaLimits>
}

export function createObservers(options: ObserversOptions): Observers {
  const budget = new SharedBudget(options.limits?.valueMemoryBytesMax ?? defaultSchemaLimits.valueMemoryBytesMax)
  const stages = new Map<string, Map<ObservedFrom, { readonly stage: ObserveStage; configured: string }>>()
  return {
    of: ({ id, sources }, from = 'log') => {
      const ofWorkspace = stages.get(id) ?? new Map()
      stages.set(id, ofWorkspace)
      const known = ofWorkspace.get(from) ?? {
        stage: createObserveStage({ ...options, memory: memoryOf(budget.share(id)) }),
        configured: '[]',
      }
      ofWorkspace.set(from, known)
      const observed = sources.flatMap(({ writeKey, observe }) =>
        observe === undefined ? [] : { writeKey, ...observe },
      )
      const configured = JSON.stringify(observed)
      if (configured !== known.configured) known.stage.configure(observed)
      known.configured = configured
      return known.stage
    },
    memory: (workspaceId) => {
      const { held, reserved } = budget.share(workspaceId)
      return { held, reserved, limit: budget.total }
    },
    all: (workspaceId) => [...(stages.get(workspaceId)?.values() ?? [])].map(({ stage }) => stage),
  }
}

/** The part of a workspace in the memory that counters of values may take in the process. */
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
