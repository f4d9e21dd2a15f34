import type { Event } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { lineHints } from './line-hints.ts'
import { markLines } from './mark-lines.ts'
import { hottestLines, type ProfileOptions, profileSubject } from './profile-subject.ts'

/** A match takes 2¹⁴ backtracking steps: about a millisecond. */
const slow = `/^(?:a+)+$/.test('a'.repeat(14) + '!')`
const events = Array.from({ length: 5 }, (_, n): Event => ({ type: 'track', n }))
const options: ProfileOptions = { timeMs: 480, sandbox: { mode: 'in-process' } }

const profile = (code: string, library = '') =>
  profileSubject({ name: 'main', code, libraries: [{ name: 'lib', code: library }] }, events, {
    ...options,
    files: { main: 'main.js', libraries: { lib: 'libraries/lib.ts' } },
  })

async function hottest(code: string, library?: string) {
  const [first] = hottestLines(await profile(code, library))
  return first && { file: first.file, line: first.line, hints: first.hints }
}

/** A planted slow regex and its place. */
const planted = {
  'in the entry point': {
    code: `export function transformEvent(event) {\n  event.a = 1\n  event.ok = ${slow}\n  return event\n}`,
    want: { file: 'main.js', line: 3 },
  },
  'in a helper function, called from a line with other calls': {
    code: `const trim = (text) => text.trim()\nfunction check(text) {\n  const own = 1\n  return ${slow} || own\n}\nexport function transformEvent(event) {\n  return { ...event, a: trim(' x '), ok: check('x'), b: trim('y') }\n}`,
    want: { file: 'main.js', line: 4 },
  },
  'in a library with types': {
    code: "import { check } from 'lib'\nexport const transformEvent = (event) => ({ ...event, ok: check(event) })",
    library: `export interface E { n: number }\nexport function check(event: E): boolean {\n  if (event.n < 0) return false\n  return ${slow}\n}`,
    want: { file: 'libraries/lib.ts', line: 4 },
  },
  'on a later line of a long statement': {
    code: `export function transformEvent(event) {\n  return {\n    ...event,\n    a: JSON.stringify(event),\n    ok: ${slow},\n    b: String(event.n)\n      .trim(),\n  }\n}`,
    want: { file: 'main.js', line: 5 },
  },
  'after an await, in an async function': {
    code: `const wait = async () => {}\nexport async function transformEvent(event) {\n  await wait()\n  await Promise.resolve()\n  event.ok = [await wait(), ${slow}]\n  return event\n}`,
    want: { file: 'main.js', line: 5 },
  },
  'in a callback without braces': {
    code: `export function transformEvent(event) {\n  event.ok = [1].map(\n    (n) => n > 1,\n  ).map((x) =>\n    ${slow} && x)\n  return event\n}`,
    want: { file: 'main.js', line: 5 },
  },
  'in a loop, among cheap lines that run often': {
    code: `export function transformEvent(event) {\n  let sum = 0\n  for (let i = 0; i < 200; i++) {\n    sum += i\n    if (i === 7) event.ok = ${slow}\n  }\n  return event\n}`,
    want: { file: 'main.js', line: 5 },
  },
  'stored in a constant': {
    code: `const slow = /^(?:a+)+$/\nexport function transformEvent(event) {\n  event.x = 1\n  event.ok = slow.test('a'.repeat(14) + '!')\n  return event\n}`,
    want: { file: 'main.js', line: 4 },
  },
}

describe('a line profile', () => {
  for (const [place, { code, want, ...rest }] of Object.entries(planted))
    it(`names the line of a slow regex ${place}`, async () => {
      expect(await hottest(code, 'library' in rest ? rest.library : undefined)).toEqual({
        ...want,
        hints: expect.arrayContaining(['regex']),
      })
    })

  it('returns time, share, hits and text of each line, including types', async () => {
    const typed = planted['in the entry point'].code.replace('event.ok =', 'const ok: boolean =')
    const { lines, events: count, failed, ms, markUs } = await profile(typed)
    const [first] = lines
    expect(first).toMatchObject({ source: `const ok: boolean = ${slow}`, hits: count })
    expect(first?.share).toBeGreaterThan(0.7)
    expect(first?.msPerEvent).toBeCloseTo((first?.ms ?? 0) / count)
    expect(lines.reduce((sum, line) => sum + line.share, 0)).toBeCloseTo(1)
    expect(ms).toBeGreaterThan(20)
    expect(failed).toBe(0)
    expect(markUs).toBeLessThan(20)
  })

  it('attributes no time to the first line of a function, unless its parameters need code', async () => {
    const code = `function small(n) {
  return n + 1
}
function sized({ length } = JSON.parse('[1]')) {
  return length
}
export function transformEvent(event) {
  for (let i = 0; i < 100; i++) small(sized(JSON.stringify(event)))
  return { n: sized() }
}`
    const event: Event = { type: 'track', text: 'x'.repeat(5_000) }
    const { lines } = await profileSubject({ name: 'entries', code }, [event], { timeMs: 300 })
    const ofLine = (line: number): number | undefined => lines.find((each) => each.line === line)?.ms
    expect([ofLine(1), ofLine(7)]).toEqual([0, 0])
    expect(ofLine(8)).toBeGreaterThan(0)
    expect(markLines(code, () => 0)).toMatchObject({ entries: new Set([1, 7]) })
  })

  it('attributes the time of an event that timed out to the line where it hung', async () => {
    const code = `export function transformEvent(event) {\n  event.a = 1\n  event.b = /^(?:a+)+$/.test('a'.repeat(40) + '!')\n  return event\n}`
    const limits = { eventTimeMs: 10 }
    const found = await profileSubject({ name: 'main', code }, events, {
      ...options,
      sandbox: { limits, mode: 'in-process' },
    })
    expect(found.failed).toBe(found.events)
    expect(hottestLines(found).map(({ line }) => line)).toEqual([3])
  })

  it('attributes waits for the host to no line', async () => {
    const code = `export async function transformEvent(event) {\n  await fetch('https://a.test')\n  return event\n}`
    const fetch = () => new Promise<never>((_, reject) => setTimeout(() => reject(new Error('no')), 20))
    const found = await profileSubject({ name: 'main', code }, events, { ...options, conditions: { fetch } })
    expect(found.ms).toBeLessThan(10 * found.events)
  })

  it('names code that cannot be marked', async () => {
    const code = 'export function transformEvent(event) { function a() {} function a() {} return event }'
    expect((await profile(code)).unmarked).toEqual([
      {
        file: 'main.js',
        reason: expect.stringContaining("marks cannot be put into it: Identifier 'a' has already been"),
      },
    ])
  })

  it('needs events and time', async () => {
    const subject = { name: 'main', code: '' }
    await expect(profileSubject(subject, [])).rejects.toThrow('a profile needs at least one event')
    await expect(profileSubject(subject, events, { timeMs: 0 })).rejects.toThrow('the time of a profile is 0 ms')
    await expect(profileSubject(subject, events)).rejects.toThrow('Expected one of transformEvent,transformBatch')
  })
})

it('hints name the slow constructs of a line', () => {
  const code = `const pattern = /a/
for (const x of JSON.parse('[]')) fetch(x)
const y = JSON.stringify(pattern), z = new RegExp('a')
while (z.test(y)) fetchV2()
const plain = 1 / 2 / 3`
  expect([...lineHints(code)]).toEqual([
    [1, ['regex']],
    [2, ['loop', 'JSON.parse', 'fetch']],
    [3, ['JSON.stringify', 'regex']],
    [4, ['loop', 'regex', 'fetch']],
  ])
})
