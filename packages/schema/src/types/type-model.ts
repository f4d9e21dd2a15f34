import { isJsonObject, type JsonObject, type JsonValue, type PlannedEvent, type TrackingPlan } from '@sluice/core'
import { compareCodePoints } from '../shapes/compare-code-points.ts'
import { nameOf } from '../tracking-plan/compile-plan.ts'

/** A type of values, as far as programming languages know it. */
export type ValueType =
  | { readonly kind: 'text' | 'integer' | 'number' | 'boolean' | 'anything' }
  | { readonly kind: 'choice'; readonly values: readonly (string | number | boolean)[] }
  | { readonly kind: 'list'; readonly items: FieldType }
  | { readonly kind: 'object'; readonly fields: readonly Field[]; readonly isOpen: boolean }
  | { readonly kind: 'union'; readonly types: readonly ValueType[] }

/** A type of values, which may be null. */
export interface FieldType {
  readonly type: ValueType
  readonly isNullable: boolean
}

export interface Field extends FieldType {
  /** As it is sent. */
  readonly key: string
  readonly isRequired: boolean
  readonly description?: string
}

/** What the calls of one kind send, of one name for `track`. */
export interface EventType {
  readonly call: PlannedEvent['type']
  /** Name of a track call, as it is sent. */
  readonly event?: string
  /** Its properties, or the traits of `identify` and `group`. */
  readonly fields: readonly Field[]
  /** Whether it may have other fields. */
  readonly isOpen: boolean
}

/** Levels of a schema; deeper values may be anything. */
const depthMax = 20
/** Fields of an event; values of further ones may be anything. References multiply what is written once. */
const fieldsMax = 5_000

/**
 * Returns the types that a tracking plan describes, in the order of the names of its events. Words of JSON Schema that types
 * cannot express, such as `pattern`, do not count; where a schema says more than that, as `oneOf` does, a value may be anything.
 */
export function typeModel({ events }: Pick<TrackingPlan, 'events'>): readonly EventType[] {
  return events
    .toSorted((a, b) => compareCodePoints(nameOf(a), nameOf(b)))
    .map(({ type, event, schema }) => {
      const read = reader(schema)
      const payload = payloadOf(type, schema)
      const { type: found } = payload === undefined ? { type: anyObject } : read(payload, [])
      const { fields, isOpen } = found.kind === 'object' ? found : anyObject
      return { call: type, ...(event === undefined ? {} : { event }), fields, isOpen }
    })
}

/** Returns the schema of what a call is given. RudderStack's SDKs send the traits of a person below `context`. */
function payloadOf(type: string, schema: JsonObject): JsonObject | undefined {
  if (type !== 'identify' && type !== 'group') return memberOf(schema, 'properties')
  return memberOf(schema, 'traits') ?? memberOf(memberOf(schema, 'context') ?? {}, 'traits')
}

function memberOf({ properties }: JsonObject, key: string): JsonObject | undefined {
  const member = isJsonObject(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined
  return isJsonObject(member) ? member : undefined
}

const anyObject = { kind: 'object', fields: [], isOpen: true } as const

/** Returns a function that reads parts of a schema. Values of a schema within itself may be anything. */
function reader(root: JsonObject) {
  let fieldsLeft = fieldsMax
  const read = (given: JsonValue | undefined, open: readonly JsonObject[]): FieldType => {
    const anything: FieldType = { type: { kind: 'anything' }, isNullable: true }
    const schema = isJsonObject(given) ? resolved(given) : undefined
    if (schema === undefined || open.length >= depthMax || open.includes(schema) || saysMore(schema)) return anything
    const listed = valuesIn(schema)
    if (listed !== undefined) return choiceOf(listed) ?? anything
    const names = [schema['type']].flat().filter((name) => typeof name === 'string')
    const known = names.length > 0 ? names : isJsonObject(schema['properties']) ? ['object'] : []
    if (known.length === 0) return anything
    const isNullable = known.includes('null')
    const types = known.filter((name) => name !== 'null').map((name) => typeNamed(name, schema, [...open, schema]))
    const [only] = types
    if (only === undefined) return anything
    return { type: types.length === 1 ? only : { kind: 'union', types }, isNullable }
  }
  const typeNamed = (name: string, schema: JsonObject, open: readonly JsonObject[]): ValueType => {
    if (name === 'string') return { kind: 'text' }
    if (name === 'integer' || name === 'number' || name === 'boolean') return { kind: name }
    if (name === 'array') return { kind: 'list', items: read(schema['items'], open) }
    return name === 'object' ? objectOf(schema, open) : { kind: 'anything' }
  }
  const objectOf = (schema: JsonObject, open: readonly JsonObject[]): ValueType => {
    const { properties, required, additionalProperties } = schema
    const names: readonly JsonValue[] = Array.isArray(required) ? required : []
    const fields = Object.entries(isJsonObject(properties) ? properties : {})
      // A member that must not be there has no type.
      .filter(([, member]) => member !== false)
      .sort(([a], [b]) => compareCodePoints(a, b))
      .map(([key, member]): Field => {
        fieldsLeft -= 1
        const description = isJsonObject(member) ? member['description'] : undefined
        return {
          key,
          ...read(fieldsLeft < 0 ? {} : member, open),
          isRequired: names.includes(key),
          ...(typeof description === 'string' ? { description } : {}),
        }
      })
    return { kind: 'object', fields, isOpen: additionalProperties !== false }
  }
  /** Follows references within the schema, a few at most. */
  const resolved = (schema: JsonObject): JsonObject | undefined => {
    let at: JsonObject | undefined = schema
    for (let follows = 0; at !== undefined && typeof at['$ref'] === 'string'; follows += 1)
      at = follows < depthMax ? targetOf(root, at['$ref']) : undefined
    return at
  }
  return read
}

/** Whether a schema has words by which a value may have other types than its own words say. */
function saysMore(schema: JsonObject): boolean {
  return ['oneOf', 'anyOf', '$dynamicRef', '$recursiveRef'].some((word) => Object.hasOwn(schema, word))
}

function targetOf(root: JsonObject, reference: string): JsonObject | undefined {
  if (!reference.startsWith('#')) return undefined
  let at: JsonValue | undefined = root
  for (const part of reference.slice(1).split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    at = typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? (at as JsonObject)[key] : undefined
  }
  return isJsonObject(at) ? at : undefined
}

function valuesIn(schema: JsonObject): readonly JsonValue[] | undefined {
  if (schema['const'] !== undefined) return [schema['const']]
  const listed = schema['enum']
  return Array.isArray(listed) ? (listed as readonly JsonValue[]) : undefined
}

function choiceOf(listed: readonly JsonValue[]): FieldType | undefined {
  const scalars = listed.filter((value) => typeof value !== 'object')
  const isNullable = listed.includes(null)
  if (scalars.length === 0 || scalars.length + (isNullable ? 1 : 0) < new Set(listed).size) return undefined
  return { type: { kind: 'choice', values: [...new Set(scalars)] as (string | number | boolean)[] }, isNullable }
}
