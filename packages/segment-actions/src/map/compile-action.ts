import type { Event, JsonObject } from '@sluice/core'
import { instrumentationError, isMappingError, type MappingError } from '@sluice/destinations/kit'
import type { SegmentAction } from '../peer/segment-definition.ts'
import { compileMapping } from './mapping/compile-mapping.ts'
import type { EvaluateLiquid } from './mapping/mapping-compiler.ts'
import type { MappingProblem } from './mapping/mapping-problem.ts'
import { payloadMessage } from './payload/payload-problem.ts'
import { createPayloadReader, type FieldsToJsonSchema } from './payload/payload-reader.ts'
import { compileSubscription } from './subscription/compile-subscription.ts'

/** An action, the events it is for, and how its payload is made. */
export interface ActionSource {
  /** Names the action in errors. */
  readonly slug: string
  readonly action: Pick<SegmentAction, 'fields'>
  /** Condition in FQL. Without one, every event reaches the action. */
  readonly subscribe?: string | undefined
  readonly mapping: JsonObject
  /** Whether payloads go into batches: there, texts that are '' stay. */
  readonly isBatch?: boolean
}

/** Functions of Segment's packages, passed in because the packages are optional. */
export interface SegmentFunctions {
  /** Of `@segment/destination-subscriptions`. */
  parseFql(fql: string): unknown
  /** Of `@segment/actions-core`. */
  readonly fieldsToJsonSchema: FieldsToJsonSchema
  /** Of `@segment/actions-core`. Without it, mappings with `@liquid` have a problem. */
  readonly evaluateLiquid?: EvaluateLiquid | undefined
}

/**
 * Makes the payload of an action from an event in Segment's shape: see `toSegmentEvent`. Undefined if the event does not
 * reach the action. The payload shares nothing with the event, so the action may modify it.
 */
export type CompiledAction = (event: Event) => JsonObject | undefined | MappingError

export type ActionResult =
  | { readonly ok: true; readonly map: CompiledAction }
  | { readonly ok: false; readonly problems: readonly MappingProblem[] }

/**
 * Compiles everything between an event and the payload of an action: subscription, mapping, and the check of the payload.
 * The schema of the payload is compiled for the first event that reaches the action.
 *
 * Reports mistakes in the condition and in the mapping, with paths that begin with `subscribe` or `mapping`.
 *
 * @throws for a mistake in the definition: see `createPayloadReader`.
 */
export function compileAction(source: ActionSource, segment: SegmentFunctions): ActionResult {
  const { slug, action, subscribe, mapping, isBatch = false } = source
  const compiled = compileMapping(mapping, segment)
  const ast = subscribe === undefined ? undefined : segment.parseFql(subscribe)
  const problems = compiled.ok ? [] : compiled.problems.map((each) => ({ ...each, path: below('mapping', each.path) }))
  if (hasError(ast)) problems.unshift({ path: 'subscribe', value: subscribe, allowed: 'a condition in FQL' })
  if (!compiled.ok || problems.length > 0) return { ok: false, problems }
  const matches = subscribe === undefined ? undefined : compileSubscription(ast)
  const read = createPayloadReader(action.fields ?? {}, segment.fieldsToJsonSchema)
  const options = { isBatch }
  return {
    ok: true,
    map: (event) => {
      if (matches !== undefined && !matches(event)) return undefined
      const mapped = compiled.map(event)
      if (isMappingError(mapped)) return mapped
      const result = read(mapped, options)
      return result.ok ? result.payload : instrumentationError(payloadMessage(slug, result.problems))
    },
  }
}

function below(outer: string, path: string): string {
  return path === '' || path.startsWith('[') ? outer + path : `${outer}.${path}`
}

function hasError(ast: unknown): boolean {
  return typeof ast === 'object' && ast !== null && 'error' in ast
}
