import type { Clock, Random, Workspace } from '@sluice/core'
import { createObserveStage, type ObserveStage } from './observe-stage.ts'
import type { SchemaLimits } from './schema-limits.ts'
import type { ValueMemory } from './value-counter.ts'

/** Where the events come from: what is observed is stored with the cursor of the log, or by itself. */
export type ObservedFrom = 'log' | 'direct'

/** The observe stages of a process: what they hold in memory outlives a change of the workspace. */
export interface Observers {
  /** A stage of a workspace, made when there is none; what its sources let be kept holds from the next event on. */
  of(workspace: Workspace, from?: ObservedFrom): ObserveStage
  /** All there are of a workspace. */
  all(workspaceId: string): readonly ObserveStage[]
}

export interface ObserversOptions {
  readonly clock: Clock
  readonly random: Random
  readonly limits?: Partial<SchemaLimits>
}

export function createObservers(options: ObserversOptions): Observers {
  const memory: ValueMemory = { bytes: 0 }
  const stages = new Map<string, Map<ObservedFrom, { readonly stage: ObserveStage; configured: string }>>()
  return {
    of: ({ id, sources }, from = 'log') => {
      const ofWorkspace = stages.get(id) ?? new Map()
      stages.set(id, ofWorkspace)
      const known = ofWorkspace.get(from) ?? { stage: createObserveStage({ ...options, memory }), configured: '[]' }
      ofWorkspace.set(from, known)
      const observed = sources.flatMap(({ writeKey, observe }) =>
        observe === undefined ? [] : { writeKey, ...observe },
      )
      const configured = JSON.stringify(observed)
      if (configured !== known.configured) known.stage.configure(observed)
      known.configured = configured
      return known.stage
    },
    all: (workspaceId) => [...(stages.get(workspaceId)?.values() ?? [])].map(({ stage }) => stage),
  }
}
