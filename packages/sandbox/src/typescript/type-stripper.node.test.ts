import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { createTypeStripper } from './type-stripper.node.ts'

const stripper = createTypeStripper()
afterAll(() => stripper.close())

const typed = `import type { A } from 'x'
import { b, type C } from 'y'
interface T<V = string> { a: V }
type Fn = (x: number) => void
export function transformEvent(this: void, event: T, metadata?: (e: T) => Record<string, unknown>): T | null {
  const x = (event.a as string)!; const y = <V,>(z: V): V => z satisfies V
  class K<V> implements A { private readonly a: V | undefined; declare b: string; constructor(a?: V) { this.a = a } }
  return event
}
`

describe('types', () => {
  it('become blanks: every line and column stays the same', async () => {
    const result = await stripper.strip(typed)
    if (!result.ok) throw new Error(result.message)
    expect(result.code.split('\n').map((line) => line.length)).toEqual(typed.split('\n').map((line) => line.length))
    expect(result.code.indexOf('return event')).toBe(typed.indexOf('return event'))
    expect(result.code).not.toMatch(/interface|type |as string|implements|Record|: T/)
    expect(() => new Function(result.code.replace(/^import.*$/gm, '').replace('export ', ''))).not.toThrow()
  })
  it('that are absent leave JavaScript unchanged', async () => {
    const code =
      "import { a } from 'b'\n// é 😀\nexport const transformEvent = async (event) => ({ ...event, n: event.n ?? `a` })\n"
    expect(await stripper.strip(code)).toEqual({ ok: true, code })
  })
})

describe('refused code', () => {
  const cases = [
    ['export enum A { B }', 'TypeScript enum is not supported, because types are only erased', 1, 8],
    [
      '\n  namespace N { export const a = 1 }',
      'TypeScript namespace declaration is not supported, because types are only erased',
      2,
      3,
    ],
    [
      'class A {\n  constructor(private x: number) {}\n}',
      'TypeScript parameter property is not supported, because types are only erased',
      2,
      23,
    ],
    [
      "import a = require('b')",
      'TypeScript import equals declaration is not supported, because types are only erased',
      1,
      1,
    ],
    ['const a = ;', 'Expression expected', 1, 11, false],
    ['export const f = (\n  a: string,\n  => 1', 'Expression expected', 3, 3, false],
  ] as const
  for (const [code, message, line, column, isUnsupported = true] of cases) {
    it(`${JSON.stringify(code)}: line ${line}, column ${column}`, async () => {
      expect(await stripper.strip(code)).toEqual({ ok: false, message, line, column, isUnsupported })
    })
  }
  it('code that is too long', async () => {
    const short = createTypeStripper({ codeCharsMax: 10 })
    expect(await short.strip('x'.repeat(11))).toMatchObject({
      ok: false,
      message: 'the code has more than 10 characters',
    })
    await short.close()
  })
})

describe('hostile code fails, and the next code is stripped correctly', () => {
  const cases = [
    ['a generic without end', `x=${'<T>('.repeat(30)}`, 'the code could not be parsed within 300 ms'],
    ['deep brackets', '['.repeat(50_000), 'the code is nested too deeply to be parsed'],
    ['deep types', `type A = ${'('.repeat(100_000)}`, 'the code is nested too deeply to be parsed'],
    ['deep type arguments', `let a: ${'A<'.repeat(50_000)}`, 'the code is nested too deeply to be parsed'],
    ['many signs', `x = ${'-'.repeat(200_000)}1`, 'the code is nested too deeply to be parsed'],
  ] as const
  const hasty = createTypeStripper({ timeMs: 300 })
  // A busy machine may take longer to find that code is nested too deeply.
  const careful = createTypeStripper({ timeMs: 30_000 })
  afterAll(() => Promise.all([hasty.close(), careful.close()]))
  for (const [what, code, message] of cases) {
    it(`${what}: ${message}`, async () => {
      const stripper = message.includes('300 ms') ? hasty : careful
      const first = stripper.strip(code)
      const next = stripper.strip('let a: string')
      expect(await first).toEqual({ ok: false, message, line: 0, column: 0, isUnsupported: false })
      expect(await next).toEqual({ ok: true, code: 'let a        ' })
    })
  }
  it('the event loop is not blocked meanwhile', async () => {
    const blocked = hasty.strip(`x=${'<T>('.repeat(30)}`)
    let turns = 0
    let isOver = false
    const turn = (): void => {
      turns += 1
      if (!isOver) setImmediate(turn)
    }
    turn()
    await blocked
    isOver = true
    // A blocked loop would have none.
    expect(turns).toBeGreaterThan(100)
  })
})

it('any text results in code or a reason, never an exception', async () => {
  const word = fc.constantFrom(
    'const',
    ' a',
    ': ',
    'string',
    '=',
    '(',
    ')',
    '<',
    '>',
    '{',
    '}',
    '\n',
    'as',
    'type',
    '=>',
    '`',
    '${',
    '/',
    '"',
    '\0',
    '\ud800',
    'é',
  )
  await fc.assert(
    fc.asyncProperty(fc.array(word, { maxLength: 15 }), async (words) => {
      const result = await stripper.strip(words.join(''))
      if (result.ok) expect(typeof result.code).toBe('string')
      else expect(result.message).not.toBe('')
    }),
    { numRuns: 300 },
  )
})

it('the worker is ended when idle, and started again', async () => {
  const idle = createTypeStripper({ idleMs: 5 })
  expect(await idle.strip('let a: 1')).toMatchObject({ ok: true })
  await new Promise((resolve) => setTimeout(resolve, 40))
  expect(await idle.strip('let a: 1')).toMatchObject({ ok: true })
  await idle.close()
  await idle.close()
})
