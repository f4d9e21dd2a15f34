import type { Transformation } from '@sluice/core'
import type { DestinationRegistry } from '@sluice/destinations'
import type { Problem } from './problem.ts'

export interface ParseContext {
  readonly destinations: DestinationRegistry
  /** Values of `env:NAME` tokens. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/** What is collected while all workspaces are parsed. */
export interface Collected extends ParseContext {
  readonly problems: Problem[]
  readonly transformations: PlacedTransformation[]
}

/** A transformation of a workspace, with its location in the definition. */
export interface PlacedTransformation {
  readonly path: string
  readonly workspaceId: string
  readonly transformation: Transformation
}

/** A value with its location in the definition. */
export interface Placed<T> {
  readonly item: T
  readonly path: string
}

/** A list in which malformed elements are undefined. */
export type Sparse<T> = readonly (T | undefined)[]
