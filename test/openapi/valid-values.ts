import fc from 'fast-check'

/** A schema of the document: the part of JSON Schema that it uses. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly format?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  /** `false`: the member must not be there. */
  readonly properties?: Readonly<Record<string, Schema | false>>
  readonly maxProperties?: number
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly readOnly?: boolean
}

/** Most elements of a list that is made, so that calls stay small. */
const madeItemsMax = 3

/** Returns values that a schema allows. */
export function validValues(schema: Schema): fc.Arbitrary<unknown> {
  const { anyOf, allOf, ...rest } = schema
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (anyOf !== undefined) return fc.oneof(...anyOf.map((each) => validValues(merged(rest, each))))
  if (allOf !== undefined) return validValues(allOf.reduce(merged, rest))
  if (Array.isArray(schema.type))
    return fc.oneof(...schema.type.map((type: string) => validValues({ ...schema, type })))
  switch (schema.type) {
    case 'object':
      return validObjects(schema)
    case 'array': {
      const { items = {}, minItems = 0, maxItems = madeItemsMax } = schema
      return fc.array(validValues(items), {
        minLength: minItems,
        maxLength: Math.max(minItems, Math.min(maxItems, madeItemsMax)),
      })
    }
    case 'string':
      return validTexts(schema)
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1_000, max: Math.min(schema.maximum ?? 1_000, 2 ** 31 - 1) })
    case 'number':
      return fc.integer({ min: 0, max: 1_000 })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.jsonValue({ maxDepth: 1 })
  }
}

function validTexts({ pattern, format, minLength = 0, maxLength = 200 }: Schema): fc.Arbitrary<string> {
  if (format === 'date-time')
    return fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((date) => date.toISOString())
  if (pattern !== undefined && pattern !== '\\S')
    return fc.stringMatching(new RegExp(pattern, 'u')).filter((text) => text.length <= maxLength)
  const least = pattern === undefined ? minLength : Math.max(1, minLength)
  const text = fc.string({ unit: 'grapheme-ascii', minLength: least, maxLength: Math.min(maxLength, 30) })
  return pattern === undefined ? text : text.filter((each) => /\S/.test(each))
}

function validObjects({
  properties = {},
  required = [],
  maxProperties,
  additionalProperties,
  patternProperties = {},
}: Schema): fc.Arbitrary<object> {
  const members = Object.fromEntries(
    Object.entries(properties)
      .filter((entry): entry is [string, Schema] => entry[1] !== false)
      // What only answers have, a request may repeat as it was; the value is not made up.
      .filter(([, member]) => member.readOnly !== true)
      .filter(([name]) => required.length !== maxProperties || required.includes(name))
      .map(([name, member]) => [name, validValues(member)]),
  )
  const declared = fc.record(members, { requiredKeys: required.filter((name) => name in members) })
  const [free] = Object.values(patternProperties)
  const others = free ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined)
  if (others === undefined) return declared
  const name = fc.stringMatching(/^[a-z]{1,8}$/).filter((each) => !(each in properties))
  return fc
    .tuple(declared, fc.dictionary(name, validValues(others), { maxKeys: 3 }))
    .map(([first, more]) => ({ ...more, ...first }))
}

/** Joins two schemas that both must hold. */
function merged(a: Schema, b: Schema): Schema {
  return {
    ...a,
    ...b,
    ...(a.properties || b.properties
      ? {
          properties: Object.fromEntries(
            [...new Set([...Object.keys(a.properties ?? {}), ...Object.keys(b.properties ?? {})])].map((name) => [
              name,
              both(a.properties?.[name] ?? {}, b.properties?.[name] ?? {}),
            ]),
          ),
        }
      : {}),
    ...(a.required || b.required ? { required: [...new Set([...(a.required ?? []), ...(b.required ?? [])])] } : {}),
  }
}

const both = (a: Schema | false, b: Schema | false): Schema | false =>
  a === false || b === false ? false : merged(a, b)
