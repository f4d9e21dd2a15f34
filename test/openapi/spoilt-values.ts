import type { Schema } from './valid-values.ts'

/** A value that a schema forbids, made from one that it allows, and what was changed. */
export interface Spoilt {
  readonly what: string
  readonly value: unknown
}

/** Returns values that differ from an allowed one in one place, each forbidden by another word of the schema. */
export function spoiltValues(schema: Schema, value: unknown): readonly Spoilt[] {
  return [...wrongTypes(schema), ...wrongSizes(schema, value), ...wrongMembers(schema, value)]
}

function wrongTypes({ type, enum: allowed, const: only }: Schema): readonly Spoilt[] {
  if (only !== undefined || allowed !== undefined) return [{ what: 'another value', value: 'no such value' }]
  const others: Readonly<Record<string, unknown>> = {
    object: [],
    array: {},
    string: 7,
    integer: 1.5,
    number: 'x',
    boolean: 'x',
  }
  return typeof type === 'string' && type in others ? [{ what: `no ${type}`, value: others[type] }] : []
}

function wrongSizes(
  { type, minLength = 0, maxLength, minimum, maximum, minItems = 0, maxItems, pattern }: Schema,
  value: unknown,
): readonly Spoilt[] {
  const spoilt: Spoilt[] = []
  if (type === 'string' && minLength > 0) spoilt.push({ what: 'shorter', value: '' })
  if (type === 'string' && pattern !== undefined && !new RegExp(pattern, 'u').test(' '))
    spoilt.push({ what: 'another form', value: ' ' })
  if (type === 'string' && maxLength !== undefined) spoilt.push({ what: 'longer', value: 'x'.repeat(maxLength + 1) })
  if (minimum !== undefined) spoilt.push({ what: 'less', value: minimum - 1 })
  if (maximum !== undefined && Number.isSafeInteger(maximum + 1)) spoilt.push({ what: 'more', value: maximum + 1 })
  if (minItems > 0) spoilt.push({ what: 'fewer', value: [] })
  if (maxItems !== undefined && Array.isArray(value) && value.length > 0)
    spoilt.push({ what: 'too many', value: Array.from({ length: maxItems + 1 }, () => value[0]) })
  return spoilt
}

function wrongMembers(schema: Schema, value: unknown): readonly Spoilt[] {
  const { properties = {}, required = [], additionalProperties, items, anyOf = [] } = schema
  if (Array.isArray(value) && value.length > 0 && items)
    return spoiltValues(items, value[0]).map(({ what, value: item }) => ({
      what: `[0] ${what}`,
      value: [item, ...value.slice(1)],
    }))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  const object = value as Readonly<Record<string, unknown>>
  const without = (...names: readonly string[]) =>
    Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))
  const ofAny = [...new Set(anyOf.flatMap((each) => each.required ?? []))]
  return [
    ...required.map((name) => ({ what: `no ${name}`, value: without(name) })),
    ...(ofAny.length > 0 ? [{ what: `none of ${ofAny.join(', ')}`, value: without(...ofAny) }] : []),
    ...(additionalProperties === false ? [{ what: 'another member', value: { ...object, noSuchMember: 1 } }] : []),
    ...Object.entries(properties).flatMap(([name, member]) =>
      member !== false && name in object && member.readOnly !== true
        ? spoiltValues(member, object[name]).map(({ what, value: inner }) => ({
            what: `.${name} ${what}`,
            value: { ...object, [name]: inner },
          }))
        : [],
    ),
  ]
}
