import type { JsonObject, Transformation } from '@sluice/core'
import type { DestinationDefinition, DestinationRegistry } from '@sluice/destinations'
import type { Problem } from './problems/problem.ts'

export interface ParseContext {
  readonly destinations: DestinationRegistry
  /** Values of `env:NAME` tokens. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Returns what is allowed instead of a destination that cannot run here; undefined when it can. */
  readonly refusal?: (definition: DestinationDefinition, settings: JsonObject, path: string) => string | undefined
  /** Whether an entry comes from the API: it gives way to others that have the same key, and may name fewer variables. */
  readonly yields?: (path: string) => boolean
  /** Returns what connections may name besides the elements of the definition itself. */
  readonly known?: (workspaceId: string) => KnownParts
  /** Whether there are workspaces besides those of the definition. Default: whether the definition has several. */
  readonly hasOthers?: boolean
}

/** Ids of one kind of part. */
export interface KnownIds {
  readonly size: number
  has(id: string): boolean
  keys(): Iterable<string>
}

/** Sources and destinations of a workspace that are not in the definition. */
export interface KnownParts {
  readonly sources: KnownIds
  readonly destinations: KnownIds
}

/** What is collected while all workspaces are parsed. */
export interface Collected extends ParseContext {
  readonly problems: Problem[]
  readonly transformations: PlacedTransformation[]
  /** Why destinations that come from the API cannot work yet. */
  readonly unfinished: Problem[]
  /** Whether there are others whose variables a workspace might name. */
  readonly hasOthers: boolean
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
