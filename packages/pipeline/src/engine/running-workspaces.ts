import type { Workspace } from '@sluice/core'
import type { WorkspaceRuntime } from '../consume/workspace-runtime.ts'
import type { Flow } from '../flow/flow.ts'

/** The workspaces of an engine, and what runs for each, also for those that are gone while events are owed to them. */
export class RunningWorkspaces {
  readonly #runtimes = new Map<string, WorkspaceRuntime>()
  /** As they were defined, without those that are gone. */
  defined: readonly Workspace[] = []

  get runtimes(): readonly WorkspaceRuntime[] {
    return [...this.#runtimes.values()]
  }

  /** Replaces what runs for a workspace. */
  run(runtime: WorkspaceRuntime): void {
    this.#runtimes.set(runtime.workspaceId, runtime)
  }

  workspace(id: string): Workspace | undefined {
    return this.defined.find((each) => each.id === id)
  }

  runtime(workspaceId: string): WorkspaceRuntime | undefined {
    return this.#runtimes.get(workspaceId)
  }

  flow(workspaceId: string): Flow | undefined {
    return this.#runtimes.get(workspaceId)?.flow
  }
}
