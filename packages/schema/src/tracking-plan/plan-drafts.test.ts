import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { JsonObject } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { finished } from './finished.ts'
import { createPlanCompiler } from './plan-compiler.ts'

const checkOf = (schema: JsonObject) => finished(createPlanCompiler()(schema))
const keywordsIn = (schema: JsonObject, event: unknown): readonly string[] =>
  checkOf(schema)(event).map(({ keyword, at }) => `${keyword}${at.length > 0 ? ` ${at.join('/')}` : ''}`)

const draft04 = 'http://json-schema.org/draft-04/schema#'
const draft06 = 'http://json-schema.org/draft-06/schema#'
const draft07 = 'http://json-schema.org/draft-07/schema#'
const draft2019 = 'https://json-schema.org/draft/2019-09/schema'
const draft2020 = 'https://json-schema.org/draft/2020-12/schema'

describe('a plan that names its draft', () => {
  const tuple = { items: [{ type: 'string' }, { type: 'number' }], additionalItems: { type: 'null' } }
  const cases: Readonly<Record<string, readonly [JsonObject, unknown, readonly string[]]>> = {
    'an exclusive limit as a flag of draft-04': [
      { $schema: draft04, properties: { a: { minimum: 5, exclusiveMinimum: true } } },
      { a: 5 },
      ['minimum a'],
    ],
    'the id of draft-04': [
      {
        $schema: draft04,
        properties: { a: { $ref: 'http://x.test/t' } },
        definitions: { t: { id: 'http://x.test/t', type: 'null' } },
      },
      { a: 1 },
      ['type a'],
    ],
    'definitions of draft-06, const, contains and names of properties': [
      {
        $schema: draft06,
        definitions: { one: { const: 1 } },
        properties: { a: { $ref: '#/definitions/one' }, l: { contains: { $ref: '#/definitions/one' } } },
        propertyNames: { maxLength: 1 },
      },
      { a: 2, l: [3], long: 1 },
      ['maxLength', 'propertyNames', 'const a', 'const l/0', 'contains l'],
    ],
    'conditions of draft-07': [
      // biome-ignore lint/suspicious/noThenProperty: the word of JSON Schema
      { $schema: draft07, if: { required: ['a'] }, then: { required: ['b'] }, else: { required: ['c'] } },
      { a: 1 },
      ['required', 'if'],
    ],
    'a list of places in draft-07': [{ $schema: draft07, ...tuple }, ['a', 'b', 1], ['type 2', 'type 1']],
    'a list of places in 2019-09': [{ $schema: draft2019, ...tuple }, ['a', 1, null], []],
    'a list of places in 2020-12': [
      { $schema: draft2020, prefixItems: tuple.items, items: { type: 'null' } },
      ['a', 'b', 1],
      ['type 1', 'type 2'],
    ],
    'dependencies of draft-07': [
      { $schema: draft07, dependencies: { a: ['b'], c: { required: ['d'] } } },
      { a: 1, c: 1 },
      ['dependencies', 'required'],
    ],
    'dependencies of 2019-09': [
      { $schema: draft2019, dependentRequired: { a: ['b'] }, dependentSchemas: { c: { required: ['d'] } } },
      { a: 1, c: 1 },
      ['dependentRequired', 'required'],
    ],
    'words that draft-07 does not know': [
      { $schema: draft07, unevaluatedProperties: false, minContains: 2, dependentRequired: { a: ['b'] } },
      { a: 1 },
      [],
    ],
    'how many items are contained, since 2019-09': [
      { $schema: draft2019, contains: { type: 'null' }, minContains: 2 },
      [null, 1],
      ['type 1', 'contains'],
    ],
    'a schema that extends a recursive one of 2019-09': [
      {
        $schema: draft2019,
        $id: 'https://x.test/strict',
        $recursiveAnchor: true,
        $ref: 'tree',
        unevaluatedProperties: false,
        $defs: {
          tree: {
            $id: 'https://x.test/tree',
            $recursiveAnchor: true,
            properties: { next: { $recursiveRef: '#' } },
          },
        },
      },
      { next: { more: 1 } },
      ['unevaluatedProperties next'],
    ],
    'a recursive reference without an anchor, which leads to the whole schema': [
      {
        $schema: draft2019,
        properties: { a: { $ref: '#/$defs/inner' } },
        required: ['a'],
        $defs: { inner: { properties: { whole: { $recursiveRef: '#' } } } },
      },
      { a: { whole: {} } },
      ['required a/whole'],
    ],
  }
  it.each(Object.entries(cases))('is checked by its rules: %s', (_, [schema, event, expected]) => {
    expect(keywordsIn(schema, event)).toEqual(expected)
  })

  it('may write the address of a draft with or without # and with http or https', () => {
    for (const $schema of ['https://json-schema.org/draft-07/schema', 'http://json-schema.org/draft-07/schema'])
      expect(keywordsIn({ $schema, items: [{ type: 'null' }] }, [1])).toEqual(['type 0'])
    expect(keywordsIn({ $schema: 'http://json-schema.org/schema#', prefixItems: [{ type: 'null' }] }, [1])).toEqual([
      'type 0',
    ])
  })

  it('is refused when there is no such draft, with those that there are', () => {
    for (const $schema of ['http://json-schema.org/draft-03/schema#', 'https://x.test/own'])
      expect(() => checkOf({ $schema })).toThrow(/names no known draft of JSON Schema; use one of .*draft-04/)
    expect(() => checkOf({ $schema: 7 })).toThrow('$schema must be a string')
  })

  it('is refused when a word has a value of another draft', () => {
    expect(() => checkOf({ $schema: draft07, minimum: 1, exclusiveMinimum: true })).toThrow(
      'data/exclusiveMinimum must be number',
    )
    expect(() => checkOf({ $schema: draft04, exclusiveMinimum: 1 })).toThrow('data/exclusiveMinimum must be boolean')
    expect(() => checkOf({ $schema: draft2020, items: [{}] })).toThrow('data/items must be object,boolean')
  })

  it('is refused when a dynamic reference leads to nothing that can be found', () => {
    const schema = { properties: { a: { $dynamicRef: '#none' } } }
    expect(() => checkOf(schema)).toThrow('"$dynamicRef": "#none" cannot be checked')
    expect(() => checkOf({ properties: { a: { $dynamicRef: 'other#none' } } })).toThrow(
      '"$dynamicRef" only supports hash fragment reference',
    )
  })

  it('can refer to a schema of another draft, which is checked by its own rules', () => {
    const compile = createPlanCompiler()
    finished(compile({ $schema: draft04, id: 'https://x.test/positive', minimum: 0, exclusiveMinimum: true }))
    const check = finished(compile({ $schema: draft2020, prefixItems: [{ $ref: 'https://x.test/positive' }] }))
    expect(check([0]).map(({ keyword }) => keyword)).toEqual(['minimum'])
    expect(check([1])).toEqual([])
  })
})

it('agrees with the JSON Schema Test Suite of draft-04', () => {
  interface Suite {
    readonly description: string
    readonly schema: JsonObject
    readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[]
  }
  const folder = join(
    dirname(createRequire(import.meta.url).resolve('json-schema-test-suite/package.json')),
    'tests/draft4',
  )
  // They need schemas of a server.
  const files = readdirSync(folder).filter((file) => file.endsWith('.json') && file !== 'refRemote.json')
  const wrong: string[] = []
  let count = 0
  for (const file of files) {
    for (const { description, schema, tests } of JSON.parse(readFileSync(join(folder, file), 'utf8')) as Suite[]) {
      const check = checkOf({ $schema: draft04, ...schema })
      for (const { data, valid, description: name } of tests) {
        count += 1
        if ((check(data).length === 0) !== valid) wrong.push(`${file}: ${description}: ${name}`)
      }
    }
  }
  expect(wrong).toEqual([])
  expect(count).toBeGreaterThan(200)
})

it('takes only members of the event itself, not what every object has', () => {
  const inherited = ['toString', 'valueOf', 'constructor', 'hasOwnProperty', '__proto__']
  for (const name of inherited) {
    expect(keywordsIn({ required: [name] }, {})).toEqual(['required'])
    const own = JSON.parse(`{"${name}": 1, "x": 1}`) as unknown
    expect(keywordsIn({ required: [name] }, own)).toEqual([])
    expect(keywordsIn({ dependentRequired: { [name]: ['y'], x: [name] } }, {})).toEqual([])
    expect(keywordsIn({ dependentRequired: { x: [name] } }, { x: 1 })).toEqual(['dependentRequired'])
    expect(keywordsIn({ properties: { [name]: { type: 'null' } } }, {})).toEqual([])
    expect(keywordsIn({ anyOf: [{ properties: { x: {} } }], unevaluatedProperties: false }, own)).toEqual([
      'unevaluatedProperties',
    ])
    expect(keywordsIn({ uniqueItems: true, items: { type: 'string' } }, [name, name])).toEqual(['uniqueItems'])
  }
})

it('compiles many references to a large schema, and checks many objects against many words, in little time', () => {
  const names = Array.from({ length: 300 }, (_, n) => `n${n}`)
  const large = { properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) }
  const references = Object.fromEntries(names.map((name) => [name, { $ref: '#/definitions/large' }]))
  const schema = { $schema: draft07, definitions: { large }, properties: references }
  expect(() => expect(keywordsIn(schema, { n1: { n2: 3 } })).toEqual(['type n1/n2'])).toCostAtMost(3_000)
  const copied = { $defs: { large }, allOf: Array.from({ length: 5_000 }, () => ({ $ref: '#/$defs/large' })) }
  expect(() => expect(() => checkOf(copied)).toThrow('it is too large')).toCostAtMost(3_000)
  const objects = Array.from({ length: 50_000 }, () => ({}))
  const chosen = { items: { anyOf: [{ type: 'null' }, large], unevaluatedProperties: false } }
  expect(() => expect(keywordsIn(chosen, objects)).toEqual(['steps'])).toCostAtMost(3_000)
  expect(() => expect(keywordsIn({ items: large }, objects)).toEqual(['steps'])).toCostAtMost(3_000)
})
