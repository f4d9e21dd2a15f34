import type { Transformation } from '@sluice/core'
import type { CompileResult, Sandbox } from '@sluice/sandbox'
import { LRUCache } from 'lru-cache'

/** The programs of transformations, each compiled once per workspace, version and versions of its libraries. */
export interface TransformationPrograms {
  /**
   * The program of a version, or why it cannot be loaded; both are remembered. Workspaces never share a program, not even
   * one of the same code: with `isolation: 'none'` they would share its heap.
   * @param workspaceId the workspace whose turn the program takes in the sandbox; default: one for all, for offline use.
   */
  program(transformation: Transformation, workspaceId?: string): Promise<CompileResult>
  /** Forgets all programs. The sandbox stays open: it is its maker's to close. */
  close(): Promise<void>
}

export interface TransformationProgramsOptions {
  readonly sandbox: Sandbox
  /** How many versions are kept, the least recently used going first; one that is gone is compiled again. Default 1,000. */
  readonly programsMax?: number
}

/** @throws RangeError when programsMax is not a whole number of at least 1. */
export function createTransformationPrograms(options: TransformationProgramsOptions): TransformationPrograms {
  const { sandbox, programsMax = 1_000 } = options
  if (!Number.isSafeInteger(programsMax) || programsMax < 1)
    throw new RangeError(`programsMax is ${programsMax}, must be a whole number of at least 1`)
  const byVersion = new LRUCache<string, Promise<CompileResult>>({ max: programsMax })
  return {
    program(transformation, workspaceId = '') {
      const { name, code, libraries } = transformation
      const key = keyOf(transformation, workspaceId)
      const known = byVersion.get(key)
      if (known) return known
      const compiling = sandbox.compile({ name, code, libraries }, workspaceId)
      byVersion.set(key, compiling)
      // A sandbox that failed itself says nothing about the code.
      compiling.catch(() => {
        if (byVersion.peek(key) === compiling) byVersion.delete(key)
      })
      return compiling
    },
    async close() {
      byVersion.clear()
    },
  }
}

/** Libraries that are published by themselves change without the version of the transformation. */
function keyOf({ versionId, libraries }: Transformation, workspaceId: string): string {
  return JSON.stringify([workspaceId, versionId, ...libraries.flatMap((library) => library.versionId ?? [])])
}
