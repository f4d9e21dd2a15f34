import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { compareCodePoints } from './compare-code-points.ts'

/** The kinds of JSON values, as bits that can be combined. */
const kindBits = { string: 1, number: 2, boolean: 4, null: 8, object: 16, array: 32, anything: 64 } as const

/**
 * The structure of values: everything needed for a JSON Schema that accepts each of them. Plain data; keys are
 * unordered. It includes what the flat schema of a model cannot express: nulls, empty objects and lists, and keys with
 * dots.
 */
export interface Structure {
  /** The kinds seen, as the sum of `kindBits`. */
  readonly kinds: number
  /** Properties of the objects seen here. */
  readonly properties?: Readonly<Record<string, Structure>>
  /** True when some properties exceeded the limit; unlisted ones may have had any value. */
  readonly open?: boolean
  /** Keys that every object seen here had. */
  readonly required?: readonly string[]
  /** All items of the lists seen here, combined. */
  readonly items?: Structure
}

interface StructureLimits {
  readonly depthMax: number
  /** Most properties in the whole structure; further ones are omitted. */
  readonly propertiesMax: number
}

/**
 * Returns the structure of one value, down to `depthMax`.
 * @param keyText returns a key as it is stored: personal data in it masked.
 * @example
 * ```ts
 * import { structureOf, toJsonSchema } from '@sluice/schema'
 *
 * const structure = structureOf({ price: 9.5 }, { depthMax: 10, propertiesMax: 100 })
 * console.log(toJsonSchema(structure, { title: 'Order' })['type']) // object
 * ```
 */
export function structureOf(
  value: JsonValue,
  { depthMax, propertiesMax }: StructureLimits,
  keyText: (key: string) => string = (key) => key,
): Structure {
  let properties = 0
  const walk = (current: JsonValue, depth: number): Structure => {
    const kinds = kindOf(current)
    if (typeof current !== 'object' || current === null) return { kinds }
    if (depth >= depthMax) return { kinds: kinds | kindBits.anything }
    if (!isJsonObject(current)) return current.length === 0 ? { kinds } : { kinds, items: itemsOf(current, depth + 1) }
    if (properties >= propertiesMax) return noRoom
    const members: [string, Structure][] = []
    let open = false
    for (const key of Object.keys(current)) {
      const member = current[key]
      if (member === undefined) continue
      if (properties >= propertiesMax) open = true
      else {
        properties += 1
        members.push([keyText(key), walk(member, depth + 1)])
      }
    }
    const required = [...new Set(members.map(([key]) => key))].sort(compareCodePoints)
    return { kinds, properties: Object.fromEntries(members), required, ...(open ? { open } : {}) }
  }
  const itemsOf = (list: readonly JsonValue[], depth: number): Structure => {
    let kinds = 0
    const containers: Structure[] = []
    for (const item of list) {
      kinds |= kindOf(item)
      if (typeof item !== 'object' || item === null) continue
      containers.push(walk(item, depth))
    }
    return containers.length === 0 ? { kinds } : uniteStructures([...containers, { kinds }], propertiesMax)
  }
  return walk(value, 0)
}

/** Structure of an object once the limit of properties is reached. */
const noRoom: Structure = { kinds: kindBits.object, properties: {}, required: [], open: true }

/** Combines two structures. Commutative and associative until `propertiesMax` is reached. */
export function mergeStructures(a: Structure, b: Structure, propertiesMax: number): Structure {
  return uniteStructures([a, b], propertiesMax)
}

/** Combines many structures, at the cost of the first plus what the others add, not of the sum each time. */
export function uniteStructures(structures: readonly Structure[], propertiesMax: number): Structure {
  const [first = { kinds: 0 }, ...others] = structures
  const united = copyOf(first)
  let room = propertiesMax - countProperties(united)
  /** Sums that have already lost all their properties. */
  const blurred = new Set<Sum>()

  const add = (sum: Sum, more: Structure): void => {
    sum.kinds |= more.kinds
    if (more.items !== undefined) {
      if (sum.items === undefined) sum.items = take(more.items)
      else add(sum.items, more.items)
    }
    if (more.properties === undefined) return
    if (sum.properties === undefined) {
      const { properties, required = [], open } = take({ ...more, kinds: 0 })
      Object.assign(sum, { properties, required, ...(open ? { open } : {}) })
    } else addMembers(sum, sum.properties, more, more.properties)
  }
  const addMembers = (sum: Sum, ours: Record<string, Sum>, more: Structure, theirs: Members): void => {
    // Properties beyond the limit of one side may have had any value, so the other side's knowledge of them is dropped.
    if (more.open && !blurred.has(sum)) {
      for (const key of Object.keys(ours)) if (!Object.hasOwn(theirs, key)) define(ours, key, { ...anything })
      if (Object.keys(theirs).length === 0) blurred.add(sum)
    }
    const wasOpen = sum.open === true
    if (more.open) sum.open = true
    for (const [key, member] of Object.entries(theirs)) {
      const known = Object.hasOwn(ours, key) ? ours[key] : undefined
      if (known !== undefined) add(known, member)
      else if (wasOpen) continue
      else if (room > 0) define(ours, key, take(member))
      else sum.open = true
    }
    const required = new Set(more.required)
    sum.required = sum.required?.filter((key) => required.has(key)) ?? []
  }
  const take = (structure: Structure): Sum => {
    room -= 1 + countProperties(structure)
    return copyOf(structure)
  }
  for (const other of others) add(united, other)
  return united
}

type Members = Readonly<Record<string, Structure>>

/** A structure that is being added to. */
interface Sum {
  kinds: number
  properties?: Record<string, Sum>
  open?: boolean
  required?: readonly string[]
  items?: Sum
}

/** Much faster than `structuredClone`, and handles a property named __proto__. */
function copyOf({ properties, items, ...rest }: Structure): Sum {
  const members = properties && Object.entries(properties).map(([key, member]) => [key, copyOf(member)] as const)
  return {
    ...rest,
    ...(members ? { properties: Object.fromEntries(members) } : {}),
    ...(items ? { items: copyOf(items) } : {}),
  }
}

const anything: Structure = { kinds: kindBits.anything }

/** Assigning would lose a key named __proto__. */
function define(members: Record<string, Sum>, key: string, value: Sum): void {
  Object.defineProperty(members, key, { value, writable: true, enumerable: true, configurable: true })
}

function countProperties({ properties, items }: Structure): number {
  let count = items === undefined ? 0 : countProperties(items)
  for (const member of Object.values(properties ?? {})) count += 1 + countProperties(member)
  return count
}

function kindOf(value: JsonValue): number {
  if (value === null) return kindBits.null
  if (Array.isArray(value)) return kindBits.array
  return kindBits[typeof value as 'string' | 'number' | 'boolean' | 'object']
}

/** Returns a JSON Schema (draft 2020-12) that accepts every value from which the structure was learnt. */
export function toJsonSchema(structure: Structure, about: { readonly title: string }): JsonObject {
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', ...about, ...schemaOf(structure) }
}

function schemaOf({ kinds, properties, required, items }: Structure): JsonObject {
  if ((kinds & kindBits.anything) !== 0) return {}
  const types = jsonTypes.filter((type) => (kinds & kindBits[type]) !== 0)
  const members = Object.entries(properties ?? {}).sort(([left], [right]) => compareCodePoints(left, right))
  return {
    type: types.length === 1 ? (types[0] ?? 'null') : types,
    ...(members.length > 0
      ? { properties: Object.fromEntries(members.map(([key, member]) => [key, schemaOf(member)])) }
      : {}),
    ...(required && required.length > 0 ? { required } : {}),
    ...(items ? { items: schemaOf(items) } : {}),
  }
}

const jsonTypes = ['string', 'number', 'boolean', 'null', 'object', 'array'] as const
