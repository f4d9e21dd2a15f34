import { type Clock, systemClock, type Transformation } from '@sluice/core'
import type { CompileResult, Sandbox } from '@sluice/sandbox'
import { LRUCache } from '#inlined/lru-cache'

/** Compiled transformations, cached by workspace, version and versions of their libraries. */
export interface TransformationPrograms {
  /**
   * Returns the program of a version, or why it cannot be loaded. A program is cached, a failure for ten seconds: on a busy
   * machine code may take too long to load, and load later. Workspaces never share a program, even for equal code, because
   * with `isolation: 'none'` they would share its heap.
   * @param workspaceId the workspace charged for the program's time in the sandbox. Default: one for all, for offline
   * use.
   */
  program(transformation: Transformation, workspaceId?: string): Promise<CompileResult>
  /** Has the next call of `program` load a version that could not be loaded, without waiting for ten seconds. */
  forgetFailure(transformation: Transformation, workspaceId?: string): void
  /** Releases all programs. The sandbox stays open; its creator closes it. */
  close(): Promise<void>
}

export interface TransformationProgramsOptions {
  readonly sandbox: Sandbox
  /** Most cached versions. The least recently used is evicted and compiled again when needed. Default 1,000. */
  readonly programsMax?: number
  /** Default the clock of the system. */
  readonly clock?: Pick<Clock, 'now'>
}

/** How long a failure is cached, in milliseconds. */
const failureMs = 10_000

interface Cached {
  readonly compiling: Promise<CompileResult>
  /** When the code could not be loaded; undefined while it can, or is not known. */
  failedAt?: number
}

/** @throws RangeError when programsMax is not a whole number of at least 1. */
export function createTransformationPrograms(options: TransformationProgramsOptions): TransformationPrograms {
  const { sandbox, programsMax = 1_000, clock = systemClock } = options
  if (!Number.isSafeInteger(programsMax) || programsMax < 1)
    throw new RangeError(`programsMax is ${programsMax}, must be a whole number of at least 1`)
  const byVersion = new LRUCache<string, Cached>({ max: programsMax })
  return {
    program(transformation, workspaceId = '') {
      const { name, code, libraries } = transformation
      const key = keyOf(transformation, workspaceId)
      const known = byVersion.get(key)
      if (known && !isPast(known.failedAt, clock.now())) return known.compiling
      const cached: Cached = { compiling: sandbox.compile({ name, code, libraries }, workspaceId) }
      byVersion.set(key, cached)
      cached.compiling.then(
        ({ ok }) => {
          if (!ok) cached.failedAt = clock.now()
        },
        // Not cached, because a failure of the sandbox itself is not a property of the code.
        () => {
          if (byVersion.peek(key) === cached) byVersion.delete(key)
        },
      )
      return cached.compiling
    },
    forgetFailure(transformation, workspaceId = '') {
      const key = keyOf(transformation, workspaceId)
      if (byVersion.peek(key)?.failedAt !== undefined) byVersion.delete(key)
    },
    async close() {
      byVersion.clear()
    },
  }
}

/** Whether a failure is no longer cached. A clock that was set back keeps none for longer. */
function isPast(failedAt: number | undefined, now: number): boolean {
  return failedAt !== undefined && Math.abs(now - failedAt) >= failureMs
}

/** Libraries with versions of their own change independently of the transformation's version. */
function keyOf({ versionId, libraries }: Transformation, workspaceId: string): string {
  return JSON.stringify([workspaceId, versionId, ...libraries.flatMap((library) => library.versionId ?? [])])
}
