import { systemClock } from '@sluice/core'
import { createSandbox } from '@sluice/sandbox'
import { afterAll, describe, expect, it } from 'vitest'
import { createTransformationPrograms } from '../run/transformation-programs.ts'
import { createCodeTester, type TestSubject } from './code-test.ts'

const sandbox = await createSandbox({ mode: 'in-process', limits: { eventTimeMs: 200 } })
afterAll(() => sandbox.close())
const tester = createCodeTester({ programs: createTransformationPrograms({ sandbox }), clock: systemClock })
const bounds = (charsLeft = 1_000_000) => ({ signal: new AbortController().signal, charsLeft })

let versions = 0
const subject = (code: string, more: Partial<TestSubject> = {}): TestSubject => {
  versions += 1
  return {
    workspaceId: 'w',
    kind: 'transformation',
    id: 'r',
    versionId: `v${versions}`,
    name: 'mine',
    code,
    libraries: [],
    testInput: null,
    ...more,
  }
}
const test = (code: string, more: Partial<TestSubject> = {}) => tester.run(subject(code, more), bounds())

describe('testing code', () => {
  it('returns outputs, log and time of code that passes, by default for the six sample events', async () => {
    const result = await test('export function transformEvent(event) { log(event.type); return { type: event.type } }')
    expect(result).toMatchObject({ passed: true, errors: [], timeMs: expect.any(Number) })
    expect(result.outputs.map(({ type }) => type)).toEqual(['identify', 'track', 'page', 'screen', 'group', 'alias'])
    expect(result.log).toHaveLength(6)
  })

  it('passes ordinary code that reads members of events of every type', async () => {
    const code = `export function transformEvent(event, metadata) {
      const { sourceId } = metadata(event)
      const city = event.context.traits.address.city.toLowerCase()
      return { ...event, properties: { ...event.properties, city, first: event.properties.products[0].name, sourceId } }
    }`
    expect((await test(code)).errors).toEqual([])
  })

  it('reports the event, the error, the line and the log of code that throws an exception', async () => {
    const code = `export function transformEvent(event) {
      log('saw', event.n)
      if (event.n === 2) throw new TypeError('two is too many')
      return event
    }`
    const result = await test(code, { testInput: [{ n: 1 }, { n: 2 }, { n: 3 }] })
    expect(result.passed).toBe(false)
    expect(result.errors).toEqual([
      { event: { n: 2 }, error: expect.stringMatching(/^TypeError: two is too many/), line: 3, module: 'mine' },
    ])
    expect(result.outputs).toEqual([{ n: 1 }, { error: expect.stringContaining('too many') }, { n: 3 }])
    expect(result.log.join()).toContain('saw 2')
  })

  it('names the line inside a library', async () => {
    const libraries = [{ name: 'lib', code: 'export const f = (x) => {\n  return x.gone.y\n}', versionId: 'l1' }]
    const code = `import { f } from 'lib'\nexport function transformEvent(event) { return f(event) }`
    const [problem] = (await test(code, { libraries, testInput: [{}] })).errors
    expect(problem).toMatchObject({ line: 2, module: 'library lib' })
  })

  it('fails code that cannot be loaded, without an event', async () => {
    for (const code of ['', 'export const x = 1', `import a from 'nowhere'\nexport const transformEvent = a`]) {
      const { passed, errors } = await test(code)
      expect([code, passed, errors.length, errors[0]?.event]).toEqual([code, false, 1, undefined])
    }
    expect((await test('export function transformEvent(event) {\n  return = 1\n}')).errors[0]).toMatchObject({
      line: 2,
    })
  })

  it('fails code that does not end, and code that returns something other than an event', async () => {
    const loop = await test('export function transformEvent() { for (;;); }', { testInput: [{}] })
    expect(loop.passed).toBe(false)
    expect((await test('export const transformEvent = () => 7', { testInput: [{}] })).passed).toBe(false)
  })

  it('passes code that drops every event, as a filter may', async () => {
    expect(await test('export const transformEvent = () => null')).toMatchObject({ passed: true, outputs: [] })
  })

  it('passes a library that loads, and fails one that does not', async () => {
    const library = (code: string) => {
      const { versionId } = subject(code)
      return test(code, { kind: 'library', versionId, name: 'lib', libraries: [{ name: 'lib', code, versionId }] })
    }
    expect((await library('export const f = 1')).passed).toBe(true)
    expect(await library('missing()\nexport const f = 1')).toMatchObject({
      passed: false,
      errors: [{ line: 1, module: 'library lib' }],
    })
    expect((await library(`import 'nowhere'`)).passed).toBe(false)
  })

  it('reports only the first problems, and no outputs when they exceed the limit', async () => {
    const many = { testInput: Array.from({ length: 50 }, () => ({})) }
    expect((await test('export const transformEvent = () => { throw new Error("x") }', many)).errors).toHaveLength(20)
    const code = 'export const transformEvent = () => ({ text: "x".repeat(1_000) })'
    const shared = bounds(3_000)
    const run = () => tester.run(subject(code, { testInput: [{}, {}] }), shared)
    expect((await run()).passed).toBe(true)
    expect(await run()).toMatchObject({
      passed: false,
      outputs: [],
      errors: [{ error: expect.stringContaining('more than the limit') }],
    })
  })

  it('fails tests that start after the time limit of the request', async () => {
    const signal = AbortSignal.abort(new Error('late'))
    const late = await tester.run(subject('export const transformEvent = (e) => e'), { signal, charsLeft: 1_000 })
    expect(late).toMatchObject({ passed: false, errors: [{ error: expect.stringContaining('took too long') }] })
  })
})
