import type { JsonValue } from '@sluice/core'

/** Computes the value of a node of a mapping. `data` is the event, or the item of a list that `@arrayPath` walks. */
export type Resolve = (data: unknown) => unknown

/** Renders a Liquid template: the evaluator of `@segment/actions-core`. */
export type EvaluateLiquid = (template: string, data: unknown) => unknown

/** Where a node is, and what becomes of its value. */
export interface Place {
  /** Such as `products.@arrayPath[1].price`. '' for the mapping as a whole. */
  readonly path: string
  /** Nodes above this one. */
  readonly depth: number
  /**
   * Whether objects keep members that are undefined. Payloads have none, but `@merge` and `@flatten` overwrite values
   * with them and leave them out at the end.
   */
  readonly keepsUndefined: boolean
}

/** What directives need while a mapping is compiled. */
export interface MappingCompiler {
  readonly evaluateLiquid: EvaluateLiquid | undefined
  /** Compiles a node: a directive, an object or list that may hold some, or a literal. */
  compile(node: JsonValue | undefined, place: Place): Resolve
  /** Compiles a mapping: an object that may have a root directive. */
  compileRoot(mapping: JsonValue | undefined, place: Place): Resolve
  /** Adds a problem and returns a function that is never called, because a mapping with a problem is not run. */
  report(place: Place, value: unknown, allowed: string): Resolve
  /** Records that the event cannot be mapped. The value of the node no longer matters: the first failure is returned. */
  fail(message: string): undefined
}

/** Compiles a directive from the value of its key. */
export type Directive = (options: JsonValue, place: Place, compiler: MappingCompiler) => Resolve

/** Returns the value of a node that has none. */
export const resolveToUndefined: Resolve = () => undefined
