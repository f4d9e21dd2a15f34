import { createManualClock, createSeededRandom, drop, type Event, fail, type Library, pass } from '@sluice/core'
import { afterAll, describe, expect, it } from 'vitest'
import { nothingReturned, type ProgramRun } from './program.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts'

const clock = createManualClock(Date.UTC(2026, 4, 1))
/** Each engine words what its parser finds by itself. */
const redefined = {
  untrusted: 'invalid redefinition of global identifier [t:1:18]',
  trusted: "Identifier 'a' has already been declared [t:1:16]",
}
type Trust = 'untrusted' | 'trusted'
const open = (code: Trust, options: SandboxOptions = {}): Promise<Sandbox> =>
  createSandbox({ ...(code === 'trusted' ? { code, workers: 1 } : { mode: 'in-process' }), ...options })
const sandboxes = {
  untrusted: await open('untrusted', { clock, random: createSeededRandom(1) }),
  trusted: await open('trusted', { clock, random: createSeededRandom(1) }),
}
const live = new AbortController().signal
afterAll(() => Promise.all(Object.values(sandboxes).map((sandbox) => sandbox.close())))

const events = (count: number): Event[] =>
  Array.from({ length: count }, (_, i) => ({ messageId: `m${i + 1}`, n: i + 1 }))
const [one, two, three] = events(3) as [Event, Event, Event]

describe.each(['untrusted', 'trusted'] as const)('%s code:', (trust) => {
  const sandbox = sandboxes[trust]
  async function run(
    code: string,
    inputs: readonly Event[] = [one],
    libraries: readonly Library[] = [],
  ): Promise<ProgramRun> {
    const compiled = await sandbox.compile({ name: 't', code, libraries })
    if (!compiled.ok) throw new Error(compiled.error.message)
    const metadata = (event: Event) => ({ sourceId: 's1', messageId: event.messageId })
    return compiled.program.run(
      inputs.map((event) => ({ event, metadata: metadata(event) })),
      live,
    )
  }
  const outcomes = async (...parts: Parameters<typeof run>) => (await run(...parts)).outcomes
  /** The only output of a body that returns one event. */
  async function result(body: string, input: Event = one): Promise<Event> {
    const [outcome] = await outcomes(`export function transformEvent(event, metadata) { ${body} }`, [input])
    if (outcome?.kind !== 'pass') throw new Error(JSON.stringify(outcome))
    return outcome.items[0] ?? {}
  }
  async function loadError(code: string, libraries: readonly Library[] = [], name = 't') {
    const compiled = await sandbox.compile({ name, code, libraries })
    return compiled.ok ? undefined : compiled.error
  }
  const output = (message: string) => fail({ code: 'transform.output', message })
  const threw = (message: string) => fail({ code: 'transform.threw', message })

  describe('entry points', () => {
    const cases = [
      [
        'export const a = 1',
        'none\nThis code exports a. Write: export function transformEvent(event) { return event }',
      ],
      ['\n  function transformEvent() {}', 'none\n    at t:2:12\nPut export in front of transformEvent.'],
      ['export default function transformEvent() {}', 'none\nThis code exports default. Write: export function '],
      ['export const transformEvent = 1', 'none\ntransformEvent is not a function.'],
      [
        'export function transformEvent() {}\nexport const transformBatch = () => {}',
        'transformEvent,transformBatch\nExport only one of them.',
      ],
    ] as const
    for (const [code, found] of cases)
      it(`must be exactly one of transformEvent and transformBatch, not ${code.trim()}`, async () => {
        const start = `Error: Expected one of transformEvent,transformBatch. Found ${found}`
        expect(await loadError(code)).toEqual({ code: 'transform.load', message: expect.stringContaining(start) })
      })
    it('may be arrow functions, and a module may await at its top level', async () => {
      const code = 'const n = await 7\nexport const transformEvent = () => ({ n })'
      expect(await outcomes(code)).toEqual([pass({ n: 7 })])
    })
  })

  describe('transformEvent', () => {
    const single = 'returned event from transformEvent(event) is not an object'
    const inArray = 'returned event in events array from transformEvent(event) is not an object'
    const cases = [
      { returns: 'event', want: pass(one) },
      { returns: '{}', want: pass({}) },
      { returns: 'Object.create(null)', want: pass({}) },
      { returns: 'new (class { a = 1 })()', want: pass({ a: 1 }) },
      { returns: 'null', want: drop(nothingReturned) },
      { returns: 'undefined', want: drop(nothingReturned) },
      { returns: '[]', want: drop(nothingReturned) },
      { returns: '[event, { n: 2 }]', want: pass(one, { n: 2 }) },
      { returns: '[event, 7]', want: output(inArray) },
      { returns: '[null]', want: output(inArray) },
      { returns: '7', want: output(single) },
      { returns: '"x"', want: output(single) },
      { returns: 'false', want: output(single) },
      { returns: '() => 1', want: output(single) },
      { returns: 'new Date()', want: output(single) },
      { returns: 'new Map()', want: output(single) },
      { returns: '{ toJSON() { return 1 } }', want: output(single) },
      {
        returns: 'Array(101).fill(event)',
        want: output('transformEvent returned 101 events, at most 100 are allowed'),
      },
      { returns: 'Promise.resolve(event)', want: pass(one) },
      { returns: '(event.self = event)', want: output('TypeError: Converting circular structure to JSON') },
    ]
    for (const { returns, want } of cases) {
      it(`that returns ${returns} ends in ${want.kind}`, async () => {
        expect(await outcomes(`export function transformEvent(event) { return ${returns} }`)).toEqual([want])
      })
    }
    it('may be async', async () => {
      const code = `const later = async (value) => value
      export async function transformEvent(event) { return { ...event, waited: await later(true) } }`
      expect(await outcomes(code, [one, two])).toEqual([pass({ ...one, waited: true }), pass({ ...two, waited: true })])
    })
    it('keeps input order whichever event settles first', async () => {
      const code = 'export async function transformEvent(e) { for (let i = 0; i < 9 / e.n; i++) await 0; return e }'
      expect(await outcomes(code, [one, two, three])).toEqual([pass(one), pass(two), pass(three)])
    })
  })

  describe('exceptions', () => {
    it('fail only their event, with name, message and the frames of the user', async () => {
      const code = `function check(n) {
  if (n === 2) throw new RangeError('bad item')
}
export function transformEvent(event) {
  check(event.n)
  return event
}`
      const [first, second, third] = await outcomes(code, [one, two, three])
      expect([first, third]).toEqual([pass(one), pass(three)])
      expect(second).toMatchObject({ kind: 'fail', error: { code: 'transform.threw' } })
      const lines = second?.kind === 'fail' ? second.error.message.replace(/:\d+\)/g, ')').split('\n') : []
      expect(lines).toEqual(['RangeError: bad item', '    at check (t:2)', '    at transformEvent (t:5)'])
    })
    for (const [value, shown] of [
      ["'plain'", 'plain'],
      ['null', 'null'],
      ['undefined', 'undefined'],
      ['{ code: 7 }', '{"code":7}'],
    ] as const) {
      it(`that are not an Error keep their value: ${value}`, async () => {
        const code = `export function transformEvent(event) { if (event.n === 1) throw ${value}; return event }`
        expect(await outcomes(code, [one, two])).toEqual([
          threw(`Error: thrown value is not an Error: ${shown}`),
          pass(two),
        ])
      })
    }
    it('that cannot be read are also failures', async () => {
      const code = `export function transformEvent() {
      const error = new Error('m')
      Object.defineProperty(error, 'message', { get() { throw error } })
      throw error
    }`
      expect(await outcomes(code)).toEqual([threw('Error: a value that cannot be read')])
    })
    it('of async functions are treated the same', async () => {
      const [outcome] = await outcomes('export async function transformEvent(event) { await 0; return nope(event) }')
      const message = expect.stringMatching(/^ReferenceError: nope is not defined\n {4}at transformEvent \(t:1:\d+\)$/)
      expect(outcome).toMatchObject({ error: { code: 'transform.threw', message } })
    })
  })

  describe('transformBatch', () => {
    it('gets all events, and each output belongs to its input', async () => {
      const code = 'export const transformBatch = (events) => events.filter((event) => event.n !== 2).reverse()'
      expect(await outcomes(code, [one, two, three])).toEqual([pass(one), drop(nothingReturned), pass(three)])
    })
    it('that returns something other than an array fails every input', async () => {
      const message = 'returned events from transformBatch(event) is not an array'
      const code = 'export async function transformBatch(events) { return {} }'
      expect(await outcomes(code, [one, two])).toEqual([output(message), output(message)])
    })
    it('that returns a non-object for an input fails that input', async () => {
      const message = 'returned event in events array from transformBatch(events) is not an object'
      for (const body of ['[events[0], 7]', '[events[0], { toJSON: () => 7 }]'])
        expect(await outcomes(`export const transformBatch = (events) => ${body}`, [one, two])).toEqual([
          pass(one),
          output(message),
        ])
    })
    it('that returns a list whose members throw fails every input', async () => {
      const code = `export const transformBatch = () => Object.defineProperty([], 0, { get() { throw new Error('no member') } })`
      const want = { error: { code: 'transform.output', message: expect.stringContaining('no member') } }
      expect(await outcomes(code, [one, two])).toMatchObject([want, want])
    })
    it('that throws fails every input', async () => {
      const code = "export function transformBatch() { throw new Error('no batch') }"
      const want = {
        kind: 'fail',
        error: { message: expect.stringMatching(/^Error: no batch\n {4}at transformBatch \(t:1:\d+\)$/) },
      }
      expect(await outcomes(code, [one, two])).toMatchObject([want, want])
    })
  })

  describe('libraries', () => {
    const libraries = [
      { name: 'My Lib', code: 'export const a = 1' },
      { name: 'outer', code: "import { a } from 'myLib'\nexport const b = a + 1" },
      { name: 'broken', code: 'export const = 1' },
      { name: 'thrower', code: "export function go() {\n  throw new Error('in library')\n}" },
    ]
    it('are imported by stored name and by camel case, and may import each other', async () => {
      const code = `import { a } from 'My Lib'
      import { a as same } from 'myLib'
      import { b } from 'outer'
      export const transformEvent = () => ({ a, same, b })`
      expect(await outcomes(code, [one], libraries)).toEqual([pass({ a: 1, same: 1, b: 2 })])
    })
    it('have frames with their name', async () => {
      const code = "import { go } from 'thrower'\nexport function transformEvent() { go() }"
      const [outcome] = await outcomes(code, [one], libraries)
      expect(outcome).toMatchObject({ error: { message: expect.stringContaining('\n    at go (library thrower:2:') } })
    })
    const entry = '\nexport function transformEvent() {}'
    it('that do not exist are named, with the place and what can be imported', async () => {
      const nope = await loadError(`\nimport { a } from 'nope'${entry}`, libraries)
      expect(nope).toMatchObject({
        code: 'transform.load',
        message: expect.stringMatching(
          /^Error: import from nope failed\. Module not found\.\n {4}at t:2:1\nCode can import the libraries myLib, outer, broken, thrower, and @sluice\/\S+, /,
        ),
      })
      expect((await loadError(`import { a } from 'oter'${entry}`, libraries))?.message).toContain(
        '\nDid you mean outer? ',
      )
      const none = await loadError(`import _ from 'lodash'${entry}`)
      expect(none?.message).toContain('this program has no library, and @sluice/')
    })
    it('without the imported name are refused, with the place and the names there are', async () => {
      const error = await loadError(`import {\n  a, greting } from 'words'${entry}`, [
        {
          name: 'words',
          code: 'export const greeting = 1\nconst a = 2, b = 3\nexport { a, b as c }\nexport default b',
        },
      ])
      expect(error?.message).toBe(
        "SyntaxError: The requested module 'words' does not provide an export named 'greting'\n    at t:2:6\nDid you mean greeting? It exports greeting, a, c, default.",
      )
    })
    it('are searched for advice in bounded time, whatever their code', async () => {
      const hostile = `import { z } from 'words'\n${'import { z, '.repeat(40_000)}\n${'export {'.repeat(40_000)}`
      const before = process.cpuUsage()
      await loadError(`import { z } from 'words'${entry}`, [{ name: 'words', code: `/*${hostile}*/` }])
      // In microseconds.
      expect(process.cpuUsage(before).user).toBeLessThan(2_000_000)
    })
    it('with a syntax error are refused when imported, with the place', async () => {
      expect(await loadError(entry, libraries)).toBeUndefined()
      const error = await loadError(`import { a } from 'broken'${entry}`, libraries)
      expect(error?.message).toMatch(/^SyntaxError: .*\[library broken:1:\d+\]$/)
    })
  })

  describe('locales', () => {
    const calls: readonly (readonly [string, string])[] = [
      [
        '(1234.5).toLocaleString("de-DE")',
        'toLocaleString is not available in user code, which has no locales; use toFixed',
      ],
      ['(1234.5).toLocaleString()', 'toLocaleString is not available'],
      ['1234n.toLocaleString()', 'toLocaleString is not available'],
      ['[1234.5].toLocaleString()', 'toLocaleString is not available'],
      [
        'new Date(0).toLocaleDateString("de-DE", { month: "long" })',
        'toLocaleDateString is not available in user code, which has no locales; use toISOString',
      ],
      ['new Date(0).toLocaleTimeString()', 'toLocaleTimeString is not available'],
      [
        '"a".localeCompare("b", "sv")',
        'localeCompare is not available in user code, which has no locales; leave the locale out',
      ],
      ['"i".toLocaleUpperCase("tr")', 'toLocaleUpperCase is not available'],
      ['new Intl.NumberFormat("de-DE")', 'Intl is not defined'],
    ]
    for (const [call, message] of calls)
      it(`are refused with a reason, instead of ignored: ${call}`, async () => {
        const [outcome] = await outcomes(`export const transformEvent = () => ({ text: ${call} })`)
        expect(outcome).toMatchObject({ kind: 'fail', error: { message: expect.stringContaining(message) } })
      })
    it('are not needed to compare texts and change their case, and code may bring its own formats', async () => {
      const code = `Number.prototype.toLocaleString = function () { return 'own ' + this }
      export const transformEvent = () => ({ all: ['a'.localeCompare('b'), 'i'.toLocaleUpperCase(), (5).toLocaleString('de')] })`
      expect(await outcomes(code)).toEqual([pass({ all: [-1, 'I', 'own 5'] })])
    })
  })

  describe('compile', () => {
    it('names line and column of a syntax error', async () => {
      const error = await loadError('export function transformEvent(event) {\n  return event +\n}', [], 'my code')
      expect(error?.code).toBe('transform.load')
      expect(error?.message).toMatch(/^SyntaxError: .*\[my code:3:\d+\]$/)
    })
    it('refuses code whose top level reads a credential or waits for the host, and makes no host call', async () => {
      const entry = '\nexport const transformEvent = () => ({})'
      const notWhileLoading = expect.stringContaining(
        'within transformEvent and transformBatch, not while modules are loaded',
      )
      for (const code of ["const key = getCredential('key')", "const answer = await fetch('http://a.test')"])
        expect(await loadError(code + entry)).toMatchObject({ code: 'transform.load', message: notWhileLoading })
      expect(await loadError(`let answer; fetch('http://a.test').then((a) => { answer = a })${entry}`)).toBeUndefined()
    })
    it('imports listed libraries and built-ins dynamically, and nothing else', async () => {
      const code = `const found = async (name) => { try { return Object.keys(await import(name)).length > 0 } catch (error) { return error.message } }
      export const transformEvent = async () => ({ lib: await found('lib'), hash: await found('@sluice/hash'), fs: await found('fs') })`
      expect(await outcomes(code, [one], [{ name: 'lib', code: 'export const a = 1' }])).toEqual([
        pass({ lib: true, hash: true, fs: 'import from fs failed. Module not found.' }),
      ])
    })
    describe('of code with types', () => {
      const typed = 'export const transformEvent = (event: object): object => event\n'
      const cases = [
        ['the place of the error, not of the first type', `${typed}\nconst a = = 2`, 'Expression expected [t:3:11]'],
        ['an enum', `${typed}enum A { B }`, 'TypeScript enum is not supported, because types are only erased [t:2:1]'],
        [
          'a namespace',
          `${typed}namespace A { export const b = 1 }`,
          'TypeScript namespace declaration is not supported, because types are only erased [t:2:1]',
        ],
        [
          'a parameter property',
          'class A { constructor(private b: number) {} }',
          'TypeScript parameter property is not supported, because types are only erased [t:1:31]',
        ],
        ['errors that are not about types', 'let a = 1; let a = 2', redefined[trust]],
      ] as const
      for (const [what, code, message] of cases) {
        it(`names ${what}`, async () => {
          expect(await loadError(code)).toEqual({ code: 'transform.load', message: `SyntaxError: ${message}` })
        })
      }
      it('names the library, of those that are imported', async () => {
        const broken = [{ name: 'lib', code: '\nexport const x: number = = 1' }]
        const message = 'SyntaxError: Expression expected [library lib:2:26]'
        expect(await loadError(`import { x } from 'lib'\n${typed}`, broken)).toMatchObject({ message })
        expect(await loadError(typed, broken)).toBeUndefined()
      })
    })
    it('shows what the top level throws', async () => {
      const error = await loadError("throw new Error('top')\nexport function transformEvent() {}")
      expect(error?.message).toMatch(/^Error: top\n {4}at .*t:1:\d+/)
    })
    it('refuses code with a NUL, which the engine would cut there', async () => {
      expect(await loadError('export function transformEvent() {} // \0')).toMatchObject({ code: 'transform.load' })
    })
  })

  describe('the second argument', () => {
    it('returns the 29 keys for an event of the batch, without unknown ones', async () => {
      const body =
        'const m = metadata(event); return { keys: Object.keys(m).length, source: m.sourceId, id: m.messageId }'
      expect(await result(body)).toEqual({ keys: 29, source: 's1', id: 'm1' })
      const none =
        'return { all: [metadata({}), metadata(null), metadata()].map((m) => [Object.keys(m).length, m.sourceId]) }'
      expect(await result(none)).toEqual({
        all: [
          [29, null],
          [29, null],
          [29, null],
        ],
      })
    })
    it('knows every event of a transformBatch', async () => {
      const code =
        'export const transformBatch = (events, metadata) => events.map((e) => ({ ...e, id: metadata(e).messageId }))'
      expect(await outcomes(code, [one, two])).toEqual([pass({ ...one, id: 'm1' }), pass({ ...two, id: 'm2' })])
    })
    it('is empty for other events and for none, in a transformBatch', async () => {
      const code = `export const transformBatch = ([event], metadata) =>
      [{ ...event, ids: [{ messageId: 'other' }, null, undefined].map((e) => metadata(e).messageId ?? 'none') }]`
      expect(await outcomes(code)).toEqual([pass({ ...one, ids: ['none', 'none', 'none'] })])
    })
  })

  describe('log and console', () => {
    it('collect lines in order: text as it is, objects as JSON', async () => {
      const code = `log('loaded')
      export function transformEvent(event) {
        log('a', event.n, { b: [1] }, null, undefined)
        console.warn(new Error('w'), () => 1)
        return event
      }`
      const { log } = await run(code, [one, two])
      expect(log).toEqual([
        'loaded',
        'a 1 {"b":[1]} null undefined',
        'Error: w [function]',
        'a 2 {"b":[1]} null undefined',
        'Error: w [function]',
      ])
    })
    it('have the other functions of a console', async () => {
      const code = `export function transformEvent(event) {
      console.table([{ a: 1 }]); console.dir({ b: 2 }, { depth: 1 }); console.trace('here'); console.trace()
      console.assert(true, 'no'); console.assert(false, 'why', 1); console.assert()
      console.group('outer'); console.info('in'); console.groupCollapsed(); console.log('deep')
      console.groupEnd(); console.groupEnd(); console.groupEnd(); console.error('out')
      console.time(); console.time('t'); console.timeLog('t', 'on', 1); console.timeEnd(); console.timeEnd('t'); console.timeEnd('t')
      console.count(); console.count('c'); console.count(); console.countReset(); console.count()
      console.group('left open')
      return event
    }`
      const { log } = await run(code, [one, two])
      const lines = [
        ...['[{"a":1}]', '{"b":2}', 'Trace: here', 'Trace: ', 'Assertion failed: why 1', 'Assertion failed'],
        ...['outer', '  in', '    deep', 'out', 't: 0 ms on 1', 'default: 0 ms', 't: 0 ms'],
      ]
      expect(log).toEqual([
        ...[...lines, 'default: 1', 'c: 1', 'default: 2', 'default: 1', 'left open'],
        ...[...lines, 'default: 2', 'c: 2', 'default: 3', 'default: 1', 'left open'],
      ])
    })
    it('are cut at the limit of an event', async () => {
      const code = "export function transformEvent() { for (let i = 0; i < 1e5; i++) log('0123456789') }"
      const { log } = await run(code, [one, two])
      expect(log.join('\n').length).toBeGreaterThan(2 * 65_000)
      expect(log.join('\n').length).toBeLessThan(2 * 64 * 1024)
      expect(log.at(-1)).toMatch(/\[log limit reached\]$/)
    })
    describe('are cut by their bytes in UTF-8', () => {
      const cases = [
        ['one long line', "'x'.repeat(70000)", 1],
        ['one long line of three bytes a character', "'\\u20ac'.repeat(70000)", 1],
        ['lines of three bytes a character', "'\\u20ac'.repeat(6000)", 20],
        ['lines of pairs', "'\\u{1f600}'.repeat(6000)", 20],
        ['lines of control characters', "'\\x01'.repeat(6000)", 20],
        ['lines of lone surrogates', "'\\ud800'.repeat(6000)", 20],
      ] as const
      for (const [what, text, times] of cases) {
        it(what, async () => {
          const { log, outcomes: found } = await run(
            `export const transformEvent = (event) => { for (let i = 0; i < ${times}; i++) log(${text}); return event }`,
          )
          const bytes = Buffer.byteLength(log.join('\n'))
          expect(bytes).toBeLessThanOrEqual(64 * 1024)
          expect(bytes).toBeGreaterThan(64 * 1024 - 30)
          expect(log.at(-1)).toMatch(/^.*[^ ] \[log limit reached\]$/su)
          expect(found).toEqual([pass(one)])
        })
      }
    })
  })

  describe('time and randomness of user code', () => {
    it('come from the clock of the host', async () => {
      const body =
        'return { now: Date.now(), made: new Date(), same: new Date(0).constructor === Date, text: typeof Date() }'
      const made = '2026-05-01T00:00:00.000Z'
      expect(await result(body)).toEqual({ now: clock.now(), made, same: true, text: 'string' })
    })
    it('come from the randomness of the host', async () => {
      const draw = async (seed: number) => {
        const seeded = await open(trust, { random: createSeededRandom(seed) })
        const code = 'export const transformEvent = () => ({ drawn: [Math.random(), Math.random()] })'
        const compiled = await seeded.compile({ name: 't', code, libraries: [] })
        const run = compiled.ok ? await compiled.program.run([{ event: one, metadata: {} }], live) : undefined
        await seeded.close()
        return run?.outcomes
      }
      expect(await draw(7)).toEqual(await draw(7))
      expect(await draw(7)).not.toEqual(await draw(8))
    })
  })

  describe('crossing', () => {
    it('accepts events up to the depth limit, and fails only a deeper one', async () => {
      const nested = (levels: number): Event =>
        Array.from({ length: levels - 1 }).reduce<Event>((inner) => ({ inner }), {})
      const code = 'export const transformEvent = (event) => ({ keys: Object.keys(event).length })'
      const want = pass({ keys: 1 })
      expect(await outcomes(code, [nested(300), nested(999), { n: 1 }])).toEqual([want, want, want])
      expect(await outcomes(code, [{ n: 1 }, nested(2_000), { n: 1 }])).toMatchObject([
        want,
        { error: { code: 'transform.stack', message: expect.stringContaining('the event is nested deeper') } },
        want,
      ])
      expect(await outcomes('export const transformBatch = (events) => events', [nested(990)])).toEqual([
        pass(nested(990)),
      ])
    })
    const odd = { text: 'a\0b\ud800c\u2028\u{1f600}', 'k\0\udfff': [null, -0.5, 1e300, true], nested: { '': {} } }
    it('keeps every JSON value, NUL and lone surrogates included', async () => {
      expect(await result('return event', { odd })).toEqual({ odd })
    })
    it('sets no prototype when an output has a key __proto__', async () => {
      const made = await result('return { ["__proto__"]: { polluted: 1 } }')
      expect(Object.hasOwn(made, '__proto__')).toBe(true)
      expect(Object.getPrototypeOf(made)).toBe(Object.prototype)
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    })
  })

  describe('runs', () => {
    it('of no events have no outcomes', async () => {
      expect(await run('export function transformEvent() {}', [])).toEqual({ outcomes: [], log: [], bytes: 0 })
    })
    it('reject with the reason once aborted', async () => {
      const compiled = await sandbox.compile({
        name: 't',
        code: 'export const transformEvent = (e) => e',
        libraries: [],
      })
      if (!compiled.ok) throw new Error(compiled.error.message)
      const reason = new Error('stop')
      await expect(compiled.program.run([{ event: one, metadata: {} }], AbortSignal.abort(reason))).rejects.toBe(reason)
    })
    it('are refused by a closed sandbox, which waits for running ones', async () => {
      const other = await createSandbox({ mode: 'in-process' })
      const compiled = await other.compile({ name: 't', code: 'export const transformEvent = (e) => e', libraries: [] })
      if (!compiled.ok) throw new Error(compiled.error.message)
      const running = compiled.program.run([{ event: one, metadata: {} }], live)
      await other.close()
      expect((await running).outcomes).toEqual([pass(one)])
      await expect(compiled.program.run([], live)).rejects.toThrow('the sandbox is closed')
      await other.close()
    })
  })
})

describe('a time-out', () => {
  const spin = '\nfunction spin() {\n  for (;;) Math.abs(1)\n}'
  const cases = [
    [
      'of a loop',
      `export function transformEvent(event) {\n  spin()\n}${spin}`,
      / ran longer than 50 ms\.\n {4}at spin \(t:5:\d+\)\n {4}at transformEvent \(t:2:\d+\)$/,
    ],
    [
      'after an await',
      `export async function transformEvent(event) {\n  await 0\n  spin()\n}${spin}`,
      /\n {4}at spin \(t:6:\d+\)\n/,
    ],
    [
      'while loading',
      `export const transformEvent = () => ({})\nspin()${spin}`,
      /Loading took longer than .*\n {4}at spin \(t:4:\d+\)\n/,
    ],
  ] as const
  for (const [name, code, message] of cases)
    it(`${name} names the line that ran`, async () => {
      const own = await createSandbox({
        mode: 'in-process',
        timing: 'counted',
        limits: { eventTimeMs: 50, batchTimeMs: 500 },
      })
      const compiled = await own.compile({ name: 't', code, libraries: [] })
      const [outcome] = compiled.ok ? (await compiled.program.run([{ event: one, metadata: {} }], live)).outcomes : []
      await own.close()
      expect(compiled.ok ? outcome?.kind === 'fail' && outcome.error.message : compiled.error.message).toMatch(message)
    })
})

it('makes no host call of code that is being loaded, and those of code that runs', async () => {
  let calls = 0
  const later = async () => (calls += 1)
  const api = {
    globals: 'globalThis.later = ((call) => () => call("later"))(callHostLater)',
    modules: {},
    syncCalls: {},
    asyncCalls: { later },
  }
  const own = await createSandbox({ mode: 'in-process', api })
  const code = 'later(); export const transformEvent = async () => ({ called: await later() })'
  const compiled = await own.compile({ name: 't', code, libraries: [] })
  const found = compiled.ok ? await compiled.program.run([{ event: one, metadata: {} }], live) : compiled
  await own.close()
  expect(found).toMatchObject({ outcomes: [pass({ called: 1 })] })
})

it.each(['untrusted', 'trusted'] as const)('%s programs that are compiled at once are not mixed up', async (code) => {
  const own = await createSandbox({ code, workers: 1 })
  const answers = await Promise.all(
    ['a', 'b', 'c'].map(async (owner) => {
      const text = `export const transformEvent = () => ({ owner: '${owner}' })`
      const compiled = await own.compile({ name: 't', code: text, libraries: [] }, owner)
      if (!compiled.ok) throw new Error(compiled.error.message)
      return (await compiled.program.run([{ event: {}, metadata: {} }], live)).outcomes
    }),
  )
  expect(answers).toEqual(['a', 'b', 'c'].map((owner) => [pass({ owner })]))
  await own.close()
})
