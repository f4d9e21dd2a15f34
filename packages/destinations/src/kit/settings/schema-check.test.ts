import fc from 'fast-check'
import { type TSchema, Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { builtInDestinations } from '../../built-in-destinations.ts'
import { createSchemaCheck as compiled } from './schema-check.node.ts'
import { createSchemaCheck as read } from './schema-check.portable.ts'
import type { CheckSettings } from './schema-problem.ts'

/** Schemas that definitions outside of Sluice have, besides those of the built-in ones. */
const others: Readonly<Record<string, TSchema>> = {
  unions: Type.Object({
    either: Type.Union([Type.String({ minLength: 2 }), Type.Integer({ minimum: 3 }), Type.Object({ a: Type.Null() })]),
    fixed: Type.Literal('x'),
  }),
  mixed: {
    type: 'object',
    properties: {
      a: { type: 'string', minLength: 3, enum: ['eu', 'xyz'], anyOf: [{ pattern: '^e' }, { maxLength: 1 }] },
    },
  },
  strict: Type.Object({ a: Type.Number({ multipleOf: 2 }) }, { additionalProperties: false }),
  words: Type.Record(Type.String({ pattern: '^[a-z]+$' }), Type.String({ format: 'email' })),
  one: {
    type: 'object',
    properties: { a: { oneOf: [{ type: 'number' }, { type: 'integer' }] }, b: { not: { const: 1 } } },
  },
  types: { type: 'object', properties: { a: { type: ['string', 'null'] }, b: { type: 'object', minProperties: 1 } } },
}

const leaf = fc.oneof(
  fc.constantFrom<unknown>(
    '',
    'x',
    'https://x.test',
    'a@b.test',
    '{{ a || "b" }}',
    'eu',
    'true',
    'legacy',
    '\u{1f600}',
  ),
  fc.constantFrom<unknown>(null, true, false, 0, 1, 3, -1, 2.5, 1e9, undefined),
)
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('from', 'to', 'eventName', 'a', 'B'), tie('value'), { maxKeys: 3 }),
  ),
})).value

/** Returns values for the names of a schema, some right and some wrong. */
function settingsFor(schema: TSchema): fc.Arbitrary<unknown> {
  const names = Object.keys((schema as { readonly properties?: object }).properties ?? {})
  return fc.dictionary(fc.constantFrom(...names, 'another'), value, { maxKeys: 8 })
}

/** What a check finds, and what it makes of the settings. */
function outcome(check: CheckSettings, settings: unknown): unknown {
  const given = structuredClone(settings)
  return { problems: check(given), given }
}

const schemas = [
  ...builtInDestinations.map(({ type, settings }): [string, TSchema] => [type, settings]),
  ...Object.entries(others),
]

describe('the check of settings that compiles no code', () => {
  it.each(schemas)('finds the same as the compiled one, in the same order, for %s', (_, schema) => {
    const [one, other] = [compiled(schema), read(schema)]
    const examples = [[{}], [null], ['text'], [[]]] as [unknown][]
    fc.assert(
      fc.property(settingsFor(schema), (settings) => {
        expect(outcome(other, settings)).toEqual(outcome(one, settings))
      }),
      { numRuns: 40, examples },
    )
  })

  it('refuses words that it does not know, as the compiled one does', () => {
    const schema = { type: 'object', properties: { a: { type: 'string', isMadeUp: true } } } as TSchema
    expect(() => read(schema)).toThrow('isMadeUp')
    expect(() => compiled(schema)).toThrow('isMadeUp')
  })
})
