import { type Event, type Library, type Outcome, pass } from '@sluice/core'
import { afterAll, describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../sandbox.ts'

const live = new AbortController().signal
const sandboxes = {
  batch: await createSandbox({ code: 'trusted', workers: 1 }),
  event: await createSandbox({ code: 'trusted', workers: 1, isolation: 'event' }),
  none: await createSandbox({ code: 'trusted', workers: 1, isolation: 'none' }),
}
afterAll(() => Promise.all(Object.values(sandboxes).map((sandbox) => sandbox.close())))

async function run(
  code: string,
  count = 1,
  { sandbox = sandboxes.batch, owner = 'a', libraries = [] as readonly Library[] } = {},
): Promise<readonly Outcome<Event>[]> {
  const compiled = await sandbox.compile({ name: 't', code, libraries }, owner)
  if (!compiled.ok) throw new Error(compiled.error.message)
  const inputs = Array.from({ length: count }, (_, n) => ({ event: { n }, metadata: {} }))
  return (await compiled.program.run(inputs, live)).outcomes
}

/** Changes of built-ins, each with an expression that is true while the change is there. */
const changes = [
  ['Array.prototype.zap = 1', "'zap' in []"],
  ['Object.prototype.zap = 1', "'zap' in {}"],
  ["JSON.stringify = () => 'evil'", "JSON.stringify({}) === 'evil'"],
  ['delete Math.max', 'Math.max === undefined'],
  ['Object.assign(String.prototype, { trim: () => 7 })', "' a'.trim() === 7"],
  ['Math.random = () => 7', 'Math.random() === 7'],
  ['const P = Promise; P.zap = 1', "'zap' in Promise"],
  ['Object.getPrototypeOf([].values()).next = null', 'Object.getPrototypeOf([].values()).next === null'],
  ["Object.defineProperty(Map.prototype, 'size', { get: () => 7 })", 'new Map().size === 7'],
  ['Object.setPrototypeOf(Math, null)', 'Object.getPrototypeOf(Math) === null'],
  ['Math.__proto__ = null', 'Object.getPrototypeOf(Math) === null'],
  ['globalThis.kept = 1', 'globalThis.kept === 1'],
  ["new Function('return this')().kept = 1", 'globalThis.kept === 1'],
  ['delete globalThis.URL', 'globalThis.URL === undefined'],
  ['URL.prototype.zap = 1', "'zap' in URL.prototype"],
  ['Object.preventExtensions(Math)', '!Object.isExtensible(Math)'],
  ['Object.freeze(Array.prototype)', 'Object.isFrozen(Array.prototype)'],
  ["Object.defineProperty(Math, 'zap', { value: 1 })", "'zap' in Math"],
  ["console.count('a')", 'false'],
  ['log.seen = 1', 'log.seen === 1'],
  ['const { constructor } = {}; constructor.prototype.zap = 1', "'zap' in {}"],
  ['const { prototype } = Array; prototype.zap = 1', "'zap' in []"],
  ['for (const type of [Map, Set]) type.prototype.zap = 1', "'zap' in new Set()"],
  ['((target) => { target.zap = 1 })(JSON)', "'zap' in JSON"],
  ['parseInt = undefined', "typeof parseInt === 'undefined'"],
  ['[log] = [7]', 'log === 7'],
  ['const { constructor: List } = []; List.zap = 1', "'zap' in Array"],
  ['Number.prototype[Symbol.iterator] = function* () {}', 'Symbol.iterator in Number.prototype'],
  ["const key = Symbol.for('zap'); Object.prototype[key] = 1", "Symbol.for('zap') in {}"],
] as const

describe('trusted code that changes a built-in', () => {
  for (const [change, isThere] of changes) {
    it(`changes it neither for its next batch nor for another program: ${change}`, async () => {
      const code = `export function transformEvent() { const before = ${isThere}; ${change}; return { before, after: ${isThere} } }`
      const first = await run(code)
      expect(first).toMatchObject([{ kind: 'pass', items: [{ before: false }] }])
      expect(await run(code)).toEqual(first)
      const other = `export const transformEvent = () => ({ seen: ${isThere} })`
      expect(await run(other, 1, { owner: 'b' })).toEqual([pass({ seen: false })])
      const each = await run(code, 3, { sandbox: sandboxes.event })
      expect(each).toEqual([first[0], first[0], first[0]])
    })
  }
  for (const method of [
    '[].map',
    '({}).toString',
    '[].values().next',
    '(async () => {})().then',
    '(function* () {})().next',
    'event.valueOf',
  ])
    it(`gives no method of one a new property: ${method}`, async () => {
      const code = `export function transformEvent(event) { ${method}.zap = 1 }`
      expect(await run(code)).toMatchObject([{ error: { message: expect.stringContaining('not extensible') } }])
      expect(await run(`export const transformEvent = (event) => ({ seen: 'zap' in ${method} })`)).toEqual([
        pass({ seen: false }),
      ])
    })
  it('at its top level changes it for itself alone', async () => {
    const code = `Array.prototype.last = function () { return this[this.length - 1] }
      export const transformEvent = () => ({ last: [1, 2].last() })`
    expect(await run(code, 2)).toEqual([pass({ last: 2 }), pass({ last: 2 })])
    expect(await run(code, 1)).toEqual([pass({ last: 2 })])
    expect(await run('export const transformEvent = () => ({ none: [].last === undefined })')).toEqual([
      pass({ none: true }),
    ])
  })
})

describe('variables of trusted code', () => {
  const counting = `import { add } from 'counter'
    let calls = 0
    const seen = []
    export function transformEvent({ n }) {
      seen.push(n)
      return { calls: (calls += 1), seen: seen.length, added: add() }
    }`
  const libraries = [{ name: 'counter', code: 'let sum = 0\nexport const add = () => (sum += 1)' }]
  const counts = (...numbers: readonly number[]) => numbers.map((n) => pass({ calls: n, seen: n, added: n }))

  it('are shared within a batch and never between batches', async () => {
    for (let i = 0; i < 3; i += 1) expect(await run(counting, 3, { libraries })).toEqual(counts(1, 2, 3))
  })
  it("are fresh for each event with isolation 'event'", async () => {
    expect(await run(counting, 3, { libraries, sandbox: sandboxes.event })).toEqual(counts(1, 1, 1))
  })
  it("stay with isolation 'none'", async () => {
    const compiled = await sandboxes.none.compile({ name: 't', code: counting, libraries })
    if (!compiled.ok) throw new Error(compiled.error.message)
    for (const n of [1, 2])
      expect((await compiled.program.run([{ event: { n }, metadata: {} }], live)).outcomes).toEqual(counts(n))
  })
  it('are not shared by concurrent batches', async () => {
    const all = await Promise.all([1, 2, 3, 4, 5, 6].map(() => run(counting, 2, { libraries })))
    for (const outcomes of all) expect(outcomes).toEqual(counts(1, 2))
  })
  it('hold what an event returned when it returned it, whatever later events do with it', async () => {
    const code = 'const shared = {}; export const transformEvent = ({ n }) => Object.assign(shared, { n })'
    expect(await run(code, 100)).toEqual(Array.from({ length: 100 }, (_, n) => pass({ n })))
  })
})

it('promises of a batch that has ended settle nothing in the next', async () => {
  const code = `let settle
    export function transformEvent({ n }) {
      if (n === 0) return new Promise((resolve) => { settle = resolve })
      settle?.({ stolen: true })
      return { n }
    }`
  const first = await run(code, 2)
  expect(first[1]).toEqual(pass({ n: 1 }))
  expect(await run(code, 2)).toEqual(first)
})

it('promises that are rejected and that nothing awaits, or not yet, end no thread', async () => {
  const left = `export function transformEvent({ n }) {
      Promise.reject(new Error('left'))
      return { n }
    }`
  const late = `export async function transformEvent({ n }) {
      const [first, second] = [fetchV2('http://a.test'), Promise.reject(new Error('late'))]
      await first.catch(() => {})
      return second.catch(({ message }) => ({ n, message }))
    }`
  const numbers = [0, 1, 2]
  for (let i = 0; i < 10; i += 1) {
    const [a, b] = await Promise.all([run(left, 3), run(late, 3, { owner: 'b' })])
    expect(a).toEqual(numbers.map((n) => pass({ n })))
    expect(b).toEqual(numbers.map((n) => pass({ n, message: 'late' })))
  }
})

it('what an import of all names gives takes no properties, and so carries none to the next batch', async () => {
  const libraries = [{ name: 'lib', code: 'export const a = 1' }]
  const code = `import * as lib from 'lib'
    import * as hash from '@sluice/hash'
    const added = (to) => { try { to.zap = 1 } catch (error) { return error.name } }
    export const transformEvent = () => ({ names: [added(lib), added(hash)] })`
  expect(await run(code, 1, { libraries })).toEqual([pass({ names: ['TypeError', 'TypeError'] })])
})

describe('the options of a sandbox for trusted code', () => {
  const refused: readonly (readonly [string, Parameters<typeof createSandbox>[0], string])[] = [
    ['in this thread', { code: 'trusted', mode: 'in-process' }, "needs the threads of Node and mode 'worker'"],
  ]
  for (const [what, options, message] of refused)
    it(`are refused ${what}, where nothing could stop a loop`, async () => {
      await expect(createSandbox(options)).rejects.toThrow(message)
    })
  it('leave code untrusted unless they say otherwise: it does not reach the host', async () => {
    const code = `export const transformEvent = async () => {
      try { await eval("import('node:fs')") } catch (error) {
        return { found: error.constructor.constructor('return typeof process')() }
      }
      return { found: 'module' }
    }`
    const own: Sandbox = await createSandbox({ workers: 1 })
    expect(await run(code, 1, { sandbox: own })).toEqual([pass({ found: 'undefined' })])
    await own.close()
    // Which is why authors have to be trusted.
    expect(await run(code)).toEqual([pass({ found: 'object' })])
  })
})

it('functions that the API exports carry nothing from one batch to the next', async () => {
  const code = `import { sha256 } from '@sluice/hash'
    export const transformEvent = () => { const seen = sha256.calls ?? 0; sha256.calls = seen + 1; return { seen } }`
  for (let i = 0; i < 2; i += 1) expect(await run(code, 2)).toEqual([pass({ seen: 0 }), pass({ seen: 1 })])
})
