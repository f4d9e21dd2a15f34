import { describe, expect, it } from 'vitest'
import { wordsOf } from './program-words.ts'

const names = ['Object', 'Array', 'Math', 'JSON', 'Map', 'log', 'console', 'parseInt']
const found = (text: string) => wordsOf([text], names)

describe('words of a program', () => {
  const harmless = [
    'export const transformEvent = (event) => event',
    'event.properties.seen = true',
    'Object.keys(event).length',
    'Math.round(1) + parseInt("1") + JSON.stringify({}).length',
    'new Map([[1, 2]]); Array . isArray ( x )',
    'event.Object = 1; event.log = 2',
    'class A { constructor() {} }',
    'class A { a = 1; constructor () {} }; [Symbol("a")]',
    'Object.freeze({ a: 1 })',
  ]
  for (const text of harmless)
    it(`give no way to a built-in: ${text}`, () =>
      expect(found(text)).toMatchObject({ reachesBuiltIns: false, isIntrusive: false }))

  const reaching = [
    'Array.prototype.zap = 1',
    'const o = Object; o.zap = 1',
    'Math.random = () => 1',
    'log.count = 1',
    'Object.getPrototypeOf([]).zap = 1',
    'for (const type of [Map]) type.zap = 1',
    "import { mask } from '@sluice/pii'",
  ]
  for (const text of reaching)
    it(`give one: ${text}`, () => expect(found(text)).toMatchObject({ reachesBuiltIns: true, isIntrusive: false }))

  const intrusive = [
    "Object.defineProperty(Array.prototype, 'zap', {})",
    'x.__proto__ = null',
    'globalThis.kept = 1',
    'event.constructor.zap = 1',
    "event['constructor'].zap = 1",
    'const { constructor: List } = []; List.zap = 1',
    'const { a, constructor } = event; constructor.zap = 1',
    "event.a.constructor('return this')().kept = 1",
    'new Function("return this")',
    'Object.freeze(Array.prototype)',
    '\\u0065val("1")',
  ]
  for (const text of intrusive)
    it(`need a realm of their own: ${text}`, () => expect(found(text).isIntrusive).toBe(true))

  it('say whether promises, long lists and boxed values may occur', () => {
    expect(found('await 1').usesJobs).toBe(true)
    expect(found('({ then(f) { f() } })').usesJobs).toBe(true)
    expect(found('list.map(x)').usesJobs).toBe(false)
    expect(found('list.length = 5').makesLists).toBe(true)
    expect(found('new Array(5)').makesLists).toBe(true)
    expect(found('list.length === 5').makesLists).toBe(false)
    expect(found('new String("a")').boxes).toBe(true)
  })
})
