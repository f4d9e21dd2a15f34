import type { Clock, Random, Workspace } from '@sluice/core'
import { createObserveStage, type ObserveStage } from './observe-stage.ts'
import type { SchemaLimits } from './schema-limits.ts'
import type { ValueMemory } from './value-counter.ts'

/** The observe stages of a process, one per workspace: what they hold in memory outlives a change of the workspace. */
export interface Observers {
  /** The stage of a workspace, made when there is none; what its sources let be kept holds from the next event on. */
  of(workspace: Workspace): ObserveStage
  /** @returns undefined when the workspace was never asked for. */
  get(workspaceId: string): ObserveStage | undefined
}

export interface ObserversOptions {
  readonly clock: Clock
  readonly random: Random
  readonly limits?: Partial<SchemaLimits>
}

export function createObservers(options: ObserversOptions): Observers {
  const memory: ValueMemory = { bytes: 0 }
  const stages = new Map<string, { readonly stage: ObserveStage; configured: string }>()
  return {
    of: ({ id, sources }) => {
      const known = stages.get(id) ?? { stage: createObserveStage({ ...options, memory }), configured: '[]' }
      stages.set(id, known)
      const observed = sources.flatMap(({ writeKey, observe }) =>
        observe === undefined ? [] : { writeKey, ...observe },
      )
      const configured = JSON.stringify(observed)
      if (configured !== known.configured) known.stage.configure(observed)
      known.configured = configured
      return known.stage
    },
    get: (workspaceId) => stages.get(workspaceId)?.stage,
  }
}
