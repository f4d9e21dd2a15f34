import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { Ajv, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import type { SegmentField } from '../../peer/segment-definition.ts'
import { compileCleaning } from './compile-cleaning.ts'
import { isDateLike } from './is-date-like.ts'
import { type PayloadProblem, payloadProblems } from './payload-problem.ts'

export type ReadPayload =
  | { readonly ok: true; readonly payload: JsonObject }
  | { readonly ok: false; readonly problems: readonly PayloadProblem[] }

interface ReadOptions {
  /** Whether the payload is one of a batch. There, texts that are '' stay. */
  readonly isBatch?: boolean
}

/** Reads what a mapping made. Does not change it; the result shares nothing with it and may be modified. */
type PayloadReader = (mapped: JsonValue | undefined, options?: ReadOptions) => ReadPayload

export type SegmentFields = Readonly<Record<string, SegmentField>>

/** Makes the JSON Schema of fields: the function of this name in `@segment/actions-core`. */
export type FieldsToJsonSchema = (fields: SegmentFields) => object

/**
 * Creates a function that makes the payload of an action from what a mapping made: without empty values, with values
 * converted to the types of the fields, and without members that are no fields. It accepts what Segment's engine accepts.
 *
 * The schema is compiled to code at the first call, in a few milliseconds.
 *
 * @throws what `fieldsToJsonSchema` throws for a field with a condition that it does not know.
 */
export function createPayloadReader(fields: SegmentFields, fieldsToJsonSchema: FieldsToJsonSchema): PayloadReader {
  const known = readers.get(fields)
  if (known) return known
  const schema = Object.keys(fields).length === 0 ? undefined : (fieldsToJsonSchema(fields) as JsonObject)
  let compiled: PayloadReader | undefined
  const read: PayloadReader = (mapped, options) => {
    compiled ??= compileReader(schema)
    return compiled(mapped, options)
  }
  readers.set(fields, read)
  return read
}

/** One for each action, whatever the number of its subscriptions: ajv keeps what it has compiled. */
const readers = new WeakMap<SegmentFields, PayloadReader>()

/** A field that Segment adds to payloads of some destinations. It need not be in the schema. */
const exempt = 'dynamicAuthSettings'

function compileReader(schema: JsonObject | undefined): PayloadReader {
  const { single, batched } = compileCleaning(schema)
  const validate = schema === undefined ? acceptAll : compileSchema(schema, 'first')
  let validateForAll: ValidateFunction | undefined
  return (mapped, { isBatch = false } = {}) => {
    const clean = isBatch ? batched : single
    try {
      const payload = clean(mapped)
      const kept = isJsonObject(payload) ? payload[exempt] : undefined
      if (validate(payload) && isJsonObject(payload))
        return { ok: true, payload: kept === undefined ? payload : { ...payload, [exempt]: kept } }
      if (schema === undefined || Array.isArray(payload)) return { ok: false, problems: [noObject] }
      validateForAll ??= compileSchema(schema, 'all')
      // With a new copy, because a check changes what it checks.
      validateForAll(clean(mapped))
      return { ok: false, problems: payloadProblems(validateForAll.errors ?? []) }
    } catch (error) {
      // The stack overflows. Ingestion limits the depth of events, but not that of JSON text inside them.
      if (error instanceof RangeError) return { ok: false, problems: [{ path: '', allowed: 'is nested too deeply' }] }
      throw error
    }
  }
}

/** ajv would take the only item of a list for the object. */
const noObject: PayloadProblem = { path: '', allowed: 'must be object' }

const acceptAll = (): boolean => true

/**
 * The engine's own check looks up schemas by a name with blanks, which some versions of ajv's dependencies refuse. Here,
 * schemas have no names, and do not stay in ajv. Definitions are not at fault for what ajv holds to be unusual.
 */
const options = {
  coerceTypes: 'array',
  removeAdditional: true,
  allowUnionTypes: true,
  strict: false,
  // As strict mode has it: a number beyond the range of JavaScript is not compared with limits.
  strictNumbers: true,
  validateSchema: false,
  meta: false,
  logger: false,
  // V8 makes up for it, and schemas compile in half the time.
  code: { optimize: false },
} as const

type Reports = 'first' | 'all'

const ajvs = new Map<Reports, Ajv>()

function compileSchema(schema: JsonObject, reports: Reports): ValidateFunction {
  let ajv = ajvs.get(reports)
  if (ajv === undefined) {
    ajv = new Ajv({ ...options, allErrors: reports === 'all' })
    formats.default(ajv)
    ajv.addFormat('text', true)
    ajv.addFormat('password', true)
    ajv.addFormat('date-like', isDateLike)
    ajvs.set(reports, ajv)
  }
  const validate = ajv.compile(schema)
  ajv.removeSchema(schema)
  return validate
}
