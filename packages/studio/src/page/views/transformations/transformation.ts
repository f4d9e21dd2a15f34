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
export type Version = Pick<Transformation, 'versionId' | 'name' | 'code' | 'updatedAt'> & { readonly createdAt: string }

export interface Library {
  readonly id: string
  readonly versionId: string
  readonly name: string
  readonly importName: string
  readonly code: string
  readonly updatedAt: string
}

interface Output {
  readonly transformedEvents: readonly unknown[]
  readonly logs: readonly string[]
}

export interface TestProblem {
  readonly event?: unknown
  readonly error: string
  readonly line?: number
  readonly module?: string
}

/** Outputs, logs, what went wrong, and how long it took where that was measured, in milliseconds. */
export type RunResult = Output & { readonly problems: readonly TestProblem[]; readonly runMs?: number }
