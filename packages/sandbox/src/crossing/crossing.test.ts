import { createSeededRandom, type Event, type JsonValue, systemClock } from '@sluice/core'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { runBatch } from '../batch/batch-run.ts'
import { createModuleSet } from '../code/module-set.ts'
import { noGuestApi } from '../guest-api.ts'
import { type RunParts, runProgram } from '../program-run.ts'
import { createSandbox } from '../sandbox.ts'
import { completeLimits } from '../sandbox-limits.ts'
import { engineBuild } from '../vm/engine/engine.ts'
import { MachineSlot } from '../vm/machine-slot.ts'
import { QuickJsMachine } from '../vm/quickjs-machine.ts'
import { textCrossing } from './text-crossing.ts'

const sandbox = await createSandbox({ mode: 'in-process' })
const live = new AbortController().signal
afterAll(() => sandbox.close())

const anyUnit = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) })
const anyKey = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'length',
    '0',
    '1',
    '01',
    '-1',
    '4294967294',
    '4294967295',
    '2147483648',
    '',
  ),
  fc.string({ unit: 'grapheme' }),
  anyUnit,
)
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  anyUnit,
  anyUnit.map((text) => text.repeat(40)),
)
const { json: anyJson } = fc.letrec<{ json: JsonValue }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.oneof(
      anyText,
      fc.boolean(),
      fc.constant(null),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    ),
    fc.array(tie('json'), { maxLength: 6 }),
    fc.dictionary(anyKey, tie('json'), { maxKeys: 6, noNullPrototype: true }),
  ),
}))

const inJson = (value: unknown): string => JSON.stringify(value)

async function outcomesOf(code: string, events: readonly Event[]) {
  const compiled = await sandbox.compile({ name: 't', code, libraries: [] })
  if (!compiled.ok) throw new Error(compiled.error.message)
  const inputs = events.map((event) => ({ event, metadata: {} }))
  return (await compiled.program.run(inputs, live)).outcomes
}

describe('any JSON value', () => {
  it('returns unchanged, with its keys in order', async () => {
    const code = 'export const transformEvent = (event) => event'
    await fc.assert(
      fc.asyncProperty(fc.array(anyJson, { minLength: 1, maxLength: 5 }), async (values) => {
        const outcomes = await outcomesOf(
          code,
          values.map((value) => ({ value })),
        )
        const back = outcomes.map((outcome) => (outcome.kind === 'pass' ? outcome.items[0] : outcome))
        // Compared as text, so that the order of keys counts.
        expect(back.map(inJson)).toEqual(values.map((value) => inJson({ value })))
      }),
      { numRuns: 150 },
    )
  })
  it('looks the same to the guest as when parsed from JSON text', async () => {
    const code = 'export const transformEvent = (event) => ({ same: JSON.stringify(event.value) === event.text })'
    await fc.assert(
      fc.asyncProperty(anyJson, async (value) => {
        const text = JSON.stringify(value)
        expect(await outcomesOf(code, [{ value, text }])).toEqual([{ kind: 'pass', items: [{ same: true }] }])
      }),
      { numRuns: 100 },
    )
  })
  it('of the host loses what JSON cannot express', async () => {
    const event = {
      when: new Date(0),
      none: undefined,
      call: () => 1,
      list: [undefined, Number.NaN, () => 1, -0, { toJSON: () => 'own' }],
      boxed: Object('text'),
    } as unknown as Event
    const [outcome] = await outcomesOf('export const transformEvent = (event) => event', [event])
    expect(outcome).toEqual({ kind: 'pass', items: [JSON.parse(JSON.stringify(event))] })
  })
  it('that is nested too deeply fails only its own event', async () => {
    let deep: JsonValue = 1
    for (let i = 0; i < 2_000; i += 1) deep = [deep]
    const outcomes = await outcomesOf('export const transformEvent = (e) => e', [{ n: 1 }, { deep }, { n: 2 }])
    expect(outcomes).toMatchObject([
      { kind: 'pass' },
      { kind: 'fail', error: { code: 'transform.stack' } },
      { kind: 'pass' },
    ])
  })
})

/** Source code of values that user code may return. It is evaluated in the guest and in the host. */
const leaf = fc.oneof(
  anyText.map((text) => JSON.stringify(text)),
  fc.double().map((value) => (Object.is(value, -0) ? '-0' : String(value))),
  fc.constantFrom(
    'undefined',
    'null',
    'true',
    '-0',
    'NaN',
    '-Infinity',
    '2 ** 31',
    '-(2 ** 31)',
    '1e300',
    'new Date(0)',
    'new Date(NaN)',
    'new Date(-1.5e12)',
    '() => 1',
    'Symbol("s")',
    'new Map([[1, 2]])',
    'new Set([1])',
    '/x/g',
    'new Error("m")',
    'Promise.resolve(1)',
    'Object("text")',
    'Object(2.5)',
    'Object(false)',
    'new Number(NaN)',
    'new Uint8Array([1, 2])',
    'new Uint8Array([1, 2, 3]).subarray(1)',
    'new Float64Array([1.5, NaN])',
    'new Float32Array([0.5])',
    'new Int16Array([-2])',
    'new ArrayBuffer(3)',
    'new DataView(new ArrayBuffer(1))',
    '[, 1, ,]',
    'new Array(3)',
    'Object.assign([1], { x: 2 })',
    'new (class A { x = 1; #y = 2; get z() { return 3 } })()',
    '{ get g() { return [1] } }',
    '{ toJSON(key) { return { key } } }',
    '{ toJSON() {} }',
    '{ toJSON: 1 }',
    'new (class A { toJSON() { return "of class" } })()',
    'Object.assign(new Date(0), { toISOString: () => "own" })',
    'new (class extends Date { toISOString() { return "of class" } })(0)',
    'Object.create({ inherited: 1 })',
    'Object.create(null)',
    'new Proxy({ p: 1 }, {})',
    'new Proxy([1], {})',
    '10n',
    'Object(1n)',
    'new BigInt64Array(1)',
    'Math',
    'JSON',
    '(function () { return arguments })(1, 2)',
    '(() => { const o = { a: 1 }; o.o = o; return o })()',
    'Object.defineProperty({ a: 1 }, "hidden", { value: 1 })',
    '"x".repeat(5000)',
    '"\\u00fc\\u4e2d".repeat(300)',
    'Object.freeze({ a: [1] })',
    '[new Date(1)].concat([[2]])',
    '{ [Symbol("s")]: 1, b: 2 }',
    'new (class extends Array {})(2)',
  ),
)
const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc.array(tie('expression'), { maxLength: 4 }).map((parts) => `[${parts.join()}]`),
    fc
      .array(fc.tuple(anyKey, tie('expression')), { maxLength: 4 })
      .map((members) => `{ ${members.map(([key, part]) => `[${JSON.stringify(key)}]: ${part}`).join()} }`),
    tie('expression').map((part) => `((s) => [s, s, { s }])(${part})`),
  ),
}))

describe('any value that user code returns', () => {
  it('becomes JSON.parse(JSON.stringify(value)), or an error of the same class', async () => {
    await fc.assert(
      fc.asyncProperty(expression, async (text) => {
        const [outcome] = await outcomesOf(`export const transformEvent = () => ({ value: ${text} })`, [{}])
        let want: unknown
        try {
          want = JSON.parse(JSON.stringify({ value: new Function(`return (${text})`)() }))
        } catch (thrown) {
          expect(outcome).toMatchObject({ kind: 'fail', error: { code: 'transform.output' } })
          expect(outcome?.kind === 'fail' && outcome.error.message).toMatch(new RegExp(`^${(thrown as Error).name}: `))
          return
        }
        expect(inJson(outcome)).toBe(inJson({ kind: 'pass', items: [want] }))
      }),
      { numRuns: 500 },
    )
  }, 30_000)
  it('is read before a later event can change it, even when events share it', async () => {
    const code = `const shared = { nested: {} }
      export function transformEvent(event) { shared.nested.n = event.n; return shared }`
    const outcomes = await outcomesOf(
      code,
      [1, 2, 3].map((n) => ({ n })),
    )
    expect(outcomes).toEqual([1, 2, 3].map((n) => ({ kind: 'pass', items: [{ nested: { n } }] })))
  })
  it('fails only its own event when it cannot be read', async () => {
    const code = `export function transformEvent(event) {
      if (event.n === 2) event.self = event
      if (event.n === 3) event.big = 1n
      if (event.n === 4) event.many = new Array(30000).fill(0)
      return event
    }`
    const outcomes = await outcomesOf(
      code,
      [1, 2, 3, 4, 5].map((n) => ({ n })),
    )
    expect(outcomes).toMatchObject([
      { kind: 'pass' },
      { error: { code: 'transform.output', message: 'TypeError: Converting circular structure to JSON' } },
      { error: { code: 'transform.output', message: 'TypeError: Do not know how to serialize a BigInt' } },
      { error: { code: 'transform.output', message: expect.stringContaining('holds 30003 values, at most 20000') } },
      { kind: 'pass' },
    ])
  })
})

describe('crossing by text, for a build with another format', () => {
  it('has the same outcomes', async () => {
    const limits = completeLimits({})
    const build = await engineBuild()
    const machineParts = {
      build,
      crossing: textCrossing,
      limits,
      clock: systemClock,
      random: createSeededRandom(1),
      api: noGuestApi,
    }
    const slot = new MachineSlot(machineParts, () => QuickJsMachine.create(machineParts))
    const code = `export function transformEvent(event) {
      if (event.n === 2) event.self = event
      return [event, { when: new Date(0), un: undefined, text: event.text }]
    }`
    const modules = createModuleSet({ name: 't', code, libraries: [] })
    const parts: RunParts = {
      isolation: 'batch',
      limits,
      encoder: textCrossing.createEncoder(),
      decoder: textCrossing.createDecoder(),
      execute: (request, signal) => runBatch(request, modules, slot, limits, signal),
    }
    const events = [1, 2, 3].map((n) => ({ n, text: 'a\0b\ud800\u{1f600}' }))
    const program = { modules, entry: 'transformEvent', usesMetadata: true, log: '', eager: true } as const
    const run = await runProgram(
      events.map((event) => ({ event, metadata: {} })),
      live,
      { ...program },
      parts,
    )
    const pass = (event: Event) => ({
      kind: 'pass',
      items: [event, { when: '1970-01-01T00:00:00.000Z', text: event['text'] }],
    })
    const [one = {}, , three = {}] = events
    expect(run.outcomes).toMatchObject([pass(one), { kind: 'fail', error: { code: 'transform.output' } }, pass(three)])
  })
})
