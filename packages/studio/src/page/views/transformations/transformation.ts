import type { CodeTrial } from '@sluice/transformations'

/** A transformation, as `GET /transformations/{id}` shows it. */
export interface Transformation {
  readonly id: string
  readonly versionId: string
  readonly name: string
  readonly description: string
  readonly code: string
  readonly language: 'javascript' | 'typescript'
  readonly updatedAt: string
  readonly publishedVersionId: string | null
  readonly destinations?: readonly { readonly id: string; readonly name: string; readonly enabled: boolean }[]
}

/** A version of a transformation. */
export interface Version extends Pick<Transformation, 'versionId' | 'name' | 'code' | 'updatedAt'> {
  /** Counts up from 1. */
  readonly number: number
  readonly createdAt: string
}

export interface Library {
  readonly id: string
  readonly versionId: string
  readonly name: string
  readonly importName: string
  readonly code: string
  readonly updatedAt: string
}

export interface TestProblem {
  readonly event?: unknown
  readonly error: string
  readonly line?: number
  readonly module?: string
}

/** What became of each event, logs, what went wrong, and how long it took in milliseconds. */
export interface RunResult {
  readonly outcomes: CodeTrial['outcomes']
  readonly logs: readonly string[]
  /** `index` is that of the event; absent where the code could not be loaded. */
  readonly problems: readonly (TestProblem & { readonly index?: number })[]
  readonly runMs: number
}
