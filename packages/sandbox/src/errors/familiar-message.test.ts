import { afterAll, describe, expect, it } from 'vitest'
import { createSandbox } from '../sandbox.ts'

const sandbox = await createSandbox({ mode: 'in-process' })
afterAll(() => sandbox.close())

/** Returns the first line of the error, and the frames, of a body that throws. */
async function errorOf(body: string): Promise<readonly string[]> {
  const code = `function helper(e) {\n  ${body}\n}\nexport function transformEvent(event) {\n  return helper(event)\n}`
  const compiled = await sandbox.compile({ name: 't', code, libraries: [] })
  if (!compiled.ok) throw new Error(compiled.error.message)
  const run = await compiled.program.run(
    [{ event: { list: {}, none: null }, metadata: {} }],
    new AbortController().signal,
  )
  const [outcome] = run.outcomes
  return outcome?.kind === 'fail' ? outcome.error.message.split('\n') : []
}

describe('errors of the engine are worded as in V8', () => {
  const cases = [
    ['nope', 'ReferenceError: nope is not defined'],
    ['return later; let later', "ReferenceError: Cannot access 'later' before initialization"],
    ['e.missing.x', "TypeError: Cannot read properties of undefined (reading 'x')"],
    ['e.none.x', "TypeError: Cannot read properties of null (reading 'x')"],
    ['e.missing.x = 1', "TypeError: Cannot set properties of undefined (setting 'x')"],
    ['e.missing()', 'TypeError: e.missing is not a function'],
    ['e.list.map((x) => x)', 'TypeError: e.list.map is not a function'],
    ['e?.missing()', 'TypeError: e?.missing is not a function'],
    ['e.missing?.y.z; e.none.trim()', "TypeError: Cannot read properties of null (reading 'trim')"],
    ['const f = 1; f()', 'TypeError: f is not a function'],
    ['return e.missing(1)', 'TypeError: e.missing is not a function'],
    ['const total = 5; return total(e)', 'TypeError: total is not a function'],
    ['return e.a(\n    1,\n    "(",\n  )', 'TypeError: e.a is not a function'],
    ['return e.list\n    .sort()', 'TypeError: e.list.sort is not a function'],
    ['return [1]\n    .map((x) => x)\n    .foo()', 'TypeError: (intermediate value).foo is not a function'],
    ['[1]\n    .map((x) => x)\n    .foo()\n    .bar()', 'TypeError: (intermediate value).foo is not a function'],
    ['return e.list ? e.a() : e.b()', 'TypeError: e.a is not a function'],
    ['new e.list()', 'TypeError: e.list is not a constructor'],
    ['const a = 1; a = 2', 'TypeError: Assignment to constant variable.'],
    ['for (const x of e.missing);', 'TypeError: undefined is not iterable'],
    ['for (const x of 5);', 'TypeError: object is not iterable'],
    ['const { a } = null', 'TypeError: Cannot convert undefined or null to object'],
    ['[].reduce((a) => a)', 'TypeError: Reduce of empty array with no initial value'],
    ['new Array(-1)', 'RangeError: Invalid array length'],
    ['1n + 1', 'TypeError: Cannot mix BigInt and other types, use explicit conversions'],
    ['JSON.stringify((e.self = e))', 'TypeError: Converting circular structure to JSON'],
    ['helper(e)', 'RangeError: Maximum call stack size exceeded'],
    ["throw new TypeError('not a function at all')", 'TypeError: not a function at all'],
    ["class Own extends Error { name = 'Own' }; throw new Own('mine')", 'Own: mine'],
  ] as const
  for (const [body, want] of cases) {
    it(`${body}: ${want}`, async () => {
      const [title] = await errorOf(body)
      expect(title).toBe(want)
    })
  }
})

describe('frames', () => {
  it("refer only to the user's own lines, with columns inside them", async () => {
    for (const body of [
      'nope',
      'e.missing()',
      '[1].map(() => e.none.x)',
      'return e.list.sort.call([2, 1], () => nope)',
    ]) {
      const [, ...frames] = await errorOf(body)
      const code = [
        'function helper(e) {',
        `  ${body}`,
        '}',
        'export function transformEvent(event) {',
        '  return helper(event)',
        '}',
      ]
      const own = frames.filter((frame) => !frame.endsWith('(native)'))
      expect(own.length).toBeGreaterThan(1)
      for (const frame of own) {
        const [, line, column] = /^ {4}at (?:<?\w+>? )?\(?t:(\d+):(\d+)\)?$/.exec(frame) ?? []
        expect(Number(column)).toBeGreaterThan(0)
        expect(Number(column)).toBeLessThanOrEqual(code[Number(line) - 1]?.length ?? 0)
      }
    }
  })
})
