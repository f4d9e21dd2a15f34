import { fullFormats } from 'ajv-formats/dist/formats.js'
import type { TSchema } from 'typebox'
import { isSettingTemplate } from './resolve-settings.ts'
import { annotations, type CheckSettings, type SchemaProblem } from './schema-problem.ts'

type Schema = Readonly<Record<string, unknown>>
type Add = (problem: SchemaProblem) => void
type At = readonly string[]

/**
 * Returns a function that checks settings by reading their schema, because the policy of a page forbids to compile it.
 * Finds what the function of Node finds, in the same order. Knows fewer words of JSON Schema.
 * @throws Error when the schema has a word that is not known here.
 */
export function createSchemaCheck(schema: TSchema): CheckSettings {
  refuseUnknownWords(schema as Schema)
  return (settings) => {
    const problems: SchemaProblem[] = []
    check(schema as Schema, settings, [], (problem) => problems.push(problem))
    return problems
  }
}

/** A word's check: returns what the schema demands when the value does not fit. */
type Word = (value: never, data: never, schema: Schema, at: At, add: Add) => string | undefined

const lengthOf = (text: string): number => [...text].length
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const typeChecks: Readonly<Record<string, (data: unknown) => boolean>> = {
  string: (data) => typeof data === 'string',
  number: (data) => typeof data === 'number' && Number.isFinite(data),
  integer: (data) => Number.isInteger(data),
  boolean: (data) => typeof data === 'boolean',
  null: (data) => data === null,
  array: Array.isArray,
  object: isObject,
}

const pattern: Word = (wanted: string, data: string) =>
  hasPattern(data, wanted) ? undefined : `must match pattern "${wanted}"`

/** Words for values of one type, or of any, in the order in which problems are reported. */
const groups: readonly { readonly type?: string; readonly words: Readonly<Record<string, Word>> }[] = [
  {
    words: {
      const: (value: unknown, data: unknown) => (isSame(value, data) ? undefined : 'must be equal to constant'),
      enum: (values: readonly unknown[], data: unknown) =>
        values.some((value) => isSame(value, data)) ? undefined : 'must be equal to one of the allowed values',
      not: (schema: Schema, data: unknown) =>
        problemsOf(schema, data, []).length > 0 ? undefined : 'must NOT be valid',
      anyOf: (schemas: readonly Schema[], data: unknown, _: Schema, at: At, add: Add) => {
        const found = schemas.map((each) => problemsOf(each, data, at))
        if (found.some((problems) => problems.length === 0)) return undefined
        found.flat().forEach(add)
        return 'must match a schema in anyOf'
      },
      oneOf: (schemas: readonly Schema[], data: unknown, _: Schema, at: At, add: Add) => {
        const found = schemas.map((each) => problemsOf(each, data, at))
        if (found.filter((problems) => problems.length === 0).length === 1) return undefined
        found.flat().forEach(add)
        return 'must match exactly one schema in oneOf'
      },
      allOf: (schemas: readonly Schema[], data: unknown, _: Schema, at: At, add: Add) => {
        for (const each of schemas) check(each, data, at, add)
        return undefined
      },
      isFixed: (isFixed: boolean, data: unknown) =>
        isFixed && isSettingTemplate(data) ? 'must pass "isFixed" keyword validation' : undefined,
    },
  },
  {
    type: 'number',
    words: {
      maximum: (max: number, data: number) => (data <= max ? undefined : `must be <= ${max}`),
      minimum: (min: number, data: number) => (data >= min ? undefined : `must be >= ${min}`),
      exclusiveMaximum: (max: number, data: number) => (data < max ? undefined : `must be < ${max}`),
      exclusiveMinimum: (min: number, data: number) => (data > min ? undefined : `must be > ${min}`),
      multipleOf: (of: number, data: number) => (Number.isInteger(data / of) ? undefined : `must be multiple of ${of}`),
    },
  },
  {
    type: 'string',
    words: {
      maxLength: (max: number, data: string) =>
        lengthOf(data) <= max ? undefined : `must NOT have more than ${max} characters`,
      minLength: (min: number, data: string) =>
        lengthOf(data) >= min ? undefined : `must NOT have fewer than ${min} characters`,
      pattern,
      format: (name: string, data: string) => (hasFormat(name, data) ? undefined : `must match format "${name}"`),
    },
  },
  {
    type: 'array',
    words: {
      maxItems: (max: number, data: readonly unknown[]) =>
        data.length <= max ? undefined : `must NOT have more than ${max} items`,
      minItems: (min: number, data: readonly unknown[]) =>
        data.length >= min ? undefined : `must NOT have fewer than ${min} items`,
      items: (schema: Schema, data: readonly unknown[], _: Schema, at: At, add: Add) => {
        for (const [index, element] of data.entries()) check(schema, element, [...at, String(index)], add)
        return undefined
      },
    },
  },
  {
    type: 'object',
    words: {
      maxProperties: (max: number, data: object) =>
        Object.keys(data).length <= max ? undefined : `must NOT have more than ${max} properties`,
      minProperties: (min: number, data: object) =>
        Object.keys(data).length >= min ? undefined : `must NOT have fewer than ${min} properties`,
      required: (names: readonly string[], data: Schema, schema: Schema, at: At, add: Add) => {
        for (const name of names)
          if (data[name] === undefined)
            add({
              keyword: 'required',
              at,
              schema,
              data,
              missing: name,
              message: `must have required property '${name}'`,
            })
        return undefined
      },
      additionalProperties: (more: boolean | Schema, data: Schema, schema: Schema, at: At, add: Add) => {
        for (const [name, member] of Object.entries(data)) {
          if (Object.hasOwn(Object(schema['properties']), name)) continue
          if (Object.keys(Object(schema['patternProperties'])).some((each) => hasPattern(name, each))) continue
          if (typeof more === 'object') check(more, member, [...at, name], add)
          else if (!more)
            add({
              keyword: 'additionalProperties',
              at,
              schema,
              data,
              message: 'must NOT have additional properties',
            })
        }
        return undefined
      },
      properties: (properties: Readonly<Record<string, Schema>>, data: Schema, _: Schema, at: At, add: Add) => {
        for (const [name, each] of Object.entries(properties))
          if (data[name] !== undefined) check(each, data[name], [...at, name], add)
        return undefined
      },
      patternProperties: (patterns: Readonly<Record<string, Schema>>, data: Schema, _: Schema, at: At, add: Add) => {
        for (const [pattern, each] of Object.entries(patterns))
          for (const [name, member] of Object.entries(data))
            if (hasPattern(name, pattern)) check(each, member, [...at, name], add)
        return undefined
      },
    },
  },
]

const described = ['$id', '$schema', '$comment', 'title', 'description', 'default', 'examples', 'deprecated']
const known = new Set<string>([
  'type',
  ...described,
  ...annotations,
  ...groups.flatMap(({ words }) => Object.keys(words)),
])

function refuseUnknownWords(schema: Schema | boolean): void {
  if (typeof schema !== 'object') return
  for (const word of Object.keys(schema)) {
    if (!known.has(word)) throw new Error(`the word ${word} of a schema is not known on this platform`)
  }
  const { properties, patternProperties, items, additionalProperties, not, anyOf, oneOf, allOf } = schema
  const lists = [anyOf, oneOf, allOf].flatMap((each) => (each ?? []) as readonly Schema[])
  const members = [properties, patternProperties].flatMap((each) => Object.values(Object(each)) as Schema[])
  const one = [items, additionalProperties, not].flatMap((each) => (isObject(each) ? [each] : []))
  for (const inner of [...lists, ...members, ...one]) refuseUnknownWords(inner)
}

function problemsOf(schema: Schema, data: unknown, at: At): readonly SchemaProblem[] {
  const problems: SchemaProblem[] = []
  check(schema, data, at, (problem) => problems.push(problem))
  return problems
}

function check(schema: Schema, data: unknown, at: At, add: Add): void {
  const { type = [] } = schema as { readonly type?: string | readonly string[] }
  const types = typeof type === 'string' ? [type] : type
  const fitsType = types.length === 0 || types.some((type) => typeChecks[type]?.(data))
  const reportType = (): void => add({ keyword: 'type', at, schema, data, message: `must be ${types.join(',')}` })
  // A wrong type is reported where its own words would be, if there are any.
  const group =
    types.length === 1 ? groups.find(({ type, words }) => type === types[0] && hasWord(schema, words)) : undefined
  if (!fitsType && group === undefined) reportType()
  for (const each of groups) {
    if (!hasWord(schema, each.words)) continue
    if (each.type !== undefined && typeChecks[each.type]?.(data) !== true) {
      if (each === group) reportType()
      continue
    }
    if (each.type === 'object') fillDefaults(schema, data as Record<string, unknown>)
    for (const [keyword, word] of Object.entries(each.words)) {
      if (schema[keyword] === undefined) continue
      const message = word(schema[keyword] as never, data as never, schema, at, add)
      if (message !== undefined) add({ keyword, at, schema, data, message })
    }
  }
}

const hasWord = (schema: Schema, words: object): boolean =>
  Object.keys(words).some((word) => schema[word] !== undefined)

function fillDefaults(schema: Schema, data: Record<string, unknown>): void {
  for (const [name, member] of Object.entries<Schema>(Object(schema['properties'])))
    if (member['default'] !== undefined && data[name] === undefined) data[name] = structuredClone(member['default'])
}

/** Patterns are those of definitions, which are code of the operator. */
function hasPattern(text: string, pattern: string): boolean {
  const regex = new RegExp(pattern, 'u')
  return regex.test(text)
}

function hasFormat(name: string, data: string): boolean {
  const format: unknown = Object.hasOwn(fullFormats, name) ? fullFormats[name as keyof typeof fullFormats] : undefined
  const test: unknown = isObject(format) && 'validate' in format ? format['validate'] : format
  if (test instanceof RegExp) return test.test(data)
  if (typeof test === 'function') return Boolean(test(data))
  if (test === true) return true
  throw new Error(`the format ${name} of a schema is not known`)
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((element, index) => isSame(element, other[index]))
  if (!isObject(one) || !isObject(other)) return false
  const names = Object.keys(one)
  return names.length === Object.keys(other).length && names.every((name) => isSame(one[name], other[name]))
}
