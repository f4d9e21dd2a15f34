import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { createValidator, deferredKeyword, errorKeyword, privateKeyword } from './validator.ts'

const bodyOf = createValidator(
  Type.Object({
    name: Type.String({ description: 'a name', [errorKeyword]: 'nameMissing' }),
    size: Type.Optional(Type.Integer({ minimum: 1, description: '1 or more' })),
    user: Type.Optional(Type.String({ [privateKeyword]: true, maxLength: 5, description: 'at most 5 characters' })),
    text: Type.Optional(Type.String({ format: 'text', description: 'whole characters' })),
    at: Type.Optional(Type.String({ format: 'date-time', description: 'a time' })),
    inner: Type.Optional(Type.Object({ list: Type.Array(Type.Integer({ description: 'a number' })) })),
  }),
  'body',
)
const problemOf = (value: unknown) => {
  const validated = bodyOf(value)
  return validated.ok ? undefined : validated.problem
}

describe('a body', () => {
  const unknown = [
    { value: { name: 'n', more: 1 }, message: 'body.more does not exist; allowed are: name, size,' },
    { value: { name: 'n', siz: 1 }, message: 'body.siz does not exist; did you mean size? allowed are: name,' },
    { value: { nme: 'n' }, message: 'body.nme does not exist; did you mean name?' },
    {
      value: { name: 'n', inner: { list: [1], lst: 1 } },
      message: 'body.inner.lst does not exist; did you mean list?',
    },
    { value: JSON.parse('{"name":"n","__proto__":1}'), message: 'body.__proto__ does not exist' },
    { value: { name: 'n', 'a"b': 1 }, message: 'body.a\\"b does not exist' },
    { value: { name: 'n', ['x'.repeat(1_000)]: 1 }, message: `body.${'x'.repeat(70)}` },
  ]
  for (const { value, message } of unknown)
    it(`with a member that its schema does not declare is refused with: ${message.slice(0, 60)}`, () => {
      const problem = problemOf(value)
      expect(problem).toEqual({ code: 'bodyUnknownMember', message: expect.stringContaining(message) })
      expect(problem?.message.length).toBeLessThan(200)
    })

  it('is not checked where its handler does, but what such a member is called is', () => {
    const deferred = createValidator(
      Type.Object({
        name: Type.Optional(Type.String({ [deferredKeyword]: true })),
        size: Type.Optional(Type.Integer()),
      }),
      'body',
    )
    expect(deferred({ name: 5 })).toEqual({ ok: true, value: { name: 5 } })
    expect(deferred({ name: 5, size: 'x' })).toMatchObject({ ok: false, problem: { code: 'bodyInvalid' } })
    expect(deferred({ nmae: 5 })).toMatchObject({ ok: false, problem: { code: 'bodyUnknownMember' } })
  })

  it('is never converted: a text is no number', () => {
    expect(problemOf({ name: 'n', size: '5' })).toEqual({
      code: 'bodyInvalid',
      message: 'body.size is "5"; allowed is: 1 or more',
    })
  })

  const wrong = [
    { value: {}, code: 'nameMissing', message: 'body.name is missing; allowed is: a name' },
    { value: { name: null }, code: 'nameMissing', message: 'body.name is null; allowed is: a name' },
    { value: { name: 'n', size: 0 }, code: 'bodyInvalid', message: 'body.size is 0; allowed is: 1 or more' },
    { value: { name: 'n', inner: { list: [1, 'x'] } }, code: 'bodyInvalid', message: 'body.inner.list.1 is "x"' },
    { value: { name: { deep: 'secret' } }, code: 'nameMissing', message: 'body.name is an object' },
    { value: { name: [1, 2, 3] }, code: 'nameMissing', message: 'body.name is a list of 3' },
    { value: [], code: 'bodyInvalid', message: 'body is a list of 0' },
    { value: { name: 'n', text: 'half \ud800' }, code: 'bodyInvalid', message: 'body.text is' },
    { value: { name: 'n', at: '2026-02-30T25:00:00Z' }, code: 'bodyInvalid', message: 'body.at is' },
    { value: { name: 'n', at: '2026-01-01' }, code: 'bodyInvalid', message: 'body.at is' },
  ]
  for (const { value, code, message } of wrong)
    it(`is refused with: ${message}`, () => {
      expect(problemOf(value)).toEqual({ code, message: expect.stringContaining(message) })
    })

  it('is refused without showing a value that may be personal', () => {
    const message = 'body.user is a string; allowed is: at most 5 characters'
    expect(problemOf({ name: 'n', user: 'ana@secret.test' })?.message).toBe(message)
  })

  it('is refused with the beginning of a long value', () => {
    const { message = '' } = problemOf({ name: 'n', at: 'x'.repeat(1_000) }) ?? {}
    expect(message).toContain(`"${'x'.repeat(79)}…`)
    expect(message.length).toBeLessThan(120)
  })

  it('is refused in plain words where the schema describes nothing', () => {
    const plain = createValidator(Type.Object({ scopes: Type.Array(Type.Enum(['read', 'write'])) }), 'body')
    expect(plain([])).toMatchObject({ problem: { message: 'body is a list of 0; allowed is: object' } })
    expect(plain({ scopes: ['rule'] })).toMatchObject({
      problem: { message: 'body.scopes.0 is "rule"; allowed is: one of read, write' },
    })
  })

  it('may contain whole characters, and times with an offset', () => {
    expect(problemOf({ name: 'n', text: '😀', at: '2026-01-01T00:00:00.5+01:00' })).toBeUndefined()
  })
})

describe('a query', () => {
  const queryOf = createValidator(
    Type.Object({ all: Type.Optional(Type.Boolean()), count: Type.Optional(Type.Integer()) }),
    'query',
  )

  it('is converted from text to the types of its schema', () => {
    expect(queryOf({ all: 'true', count: '5', more: 'x' })).toEqual({ ok: true, value: { all: true, count: 5 } })
  })

  it('is refused with another code than a body', () => {
    for (const query of [{ count: 'x' }, { count: '1.5' }, { all: 'yes' }])
      expect(queryOf(query)).toMatchObject({ ok: false, problem: { code: 'queryInvalid' } })
  })
})

it('without a schema, nothing of a query is passed on', () => {
  expect(createValidator(undefined, 'query')({ any: '1' })).toEqual({ ok: true, value: {} })
})
