import type { Event } from '@sluice/core'
import { createProbes } from '@sluice/sandbox'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCoverage, instrumentedLimits } from '../coverage/coverage.ts'
import { markLines } from '../profile/mark-lines.ts'
import type { Subject } from '../run/offline-run.ts'
import { createOfflineRunner, type OfflineRunner } from '../run/offline-runner.ts'

const coverage = createCoverage({ probesMax: 200_000 })
const lineProbes = createProbes(200_000, { isTimed: true })
let plain: OfflineRunner
let counting: OfflineRunner
let timing: OfflineRunner

beforeAll(async () => {
  const limits = instrumentedLimits()
  plain = await createOfflineRunner({ mode: 'in-process' })
  counting = await createOfflineRunner({ mode: 'in-process', probes: coverage.probes, limits })
  timing = await createOfflineRunner({ mode: 'in-process', probes: lineProbes, limits })
})
afterAll(async () => {
  for (const runner of [plain, counting, timing]) await runner.close()
  await coverage.close()
})

/** Returns the code with marks, or unchanged if it cannot have any. */
function markedSubject(subject: Subject): Subject {
  const marked = markLines(subject.code, () => lineProbes.take(1) ?? 0)
  return 'problem' in marked ? subject : { ...subject, code: marked.code }
}

async function instrumentedFor(runner: OfflineRunner, subject: Subject): Promise<Subject> {
  if (runner === counting) return coverage.subject(subject)
  return runner === timing ? markedSubject(subject) : subject
}

const events = (count: number): Event[] => Array.from({ length: count }, (_, n): Event => ({ type: 'track', n }))

/** Returns the result of a run without what may differ: the places in errors. */
async function endOf(runner: OfflineRunner, code: string, count: number, libraries: Record<string, string> = {}) {
  const subject = { name: 'code', code, libraries: Object.entries(libraries).map(([name, code]) => ({ name, code })) }
  const ran = await instrumentedFor(runner, subject)
  try {
    const { endings, log } = await runner.run(ran, events(count), { now: 1, seed: 1 })
    const plainly = endings.map(({ error, ...rest }) =>
      error ? { ...rest, error: error.message.split('\n')[0] } : rest,
    )
    return { endings: plainly, log }
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message.replace(/:\d+\)$/gm, ')') : thrown
  }
}

const body = (text: string): string => `export function transformEvent(event, metadata) {\n${text}\nreturn event\n}`

/** Code whose behaviour or syntax would break if a text were inserted at the wrong place. */
const tricky: Record<string, string> = {
  directives: body(
    "'use strict'\nlog(this === undefined); (() => { 'use strict' })(); (function () { 'use strict'; log(1) })()",
  ),
  'a module that begins with a directive': `'use strict'\n${body('log(1)')}`,
  'a default export beside': `export default class { m() { return 1 } }\n${body('log(1)')}`,
  'a default export of an expression': `export default (a, b) => a || b\n${body('log(2)')}`,
  'a list of exports': 'const f = (event) => (event.n ? event : null)\nexport { f as transformEvent }',
  'an exported arrow': 'export const transformEvent = async (event) => ({ ...event, a: await event.n ?? 2 })',
  'arrows that give objects, sequences and arrows': body(
    'log([1].map((a) => ({ a })), (() => (1, 2))(), ((a) => (b) => a + b)(1)(2))',
  ),
  'labels and loops without braces': body(
    'let s = 0\na: for (const i of [1, 2, 3]) b: for (const j of [1, 2, 3]) if (j === 2) continue a; else if (i === 3) break a; else s += i\ndo s++; while (s < 9)\ndo s++\nwhile (s < 12) log(s)\nfor (let i = 0; i < 3; i++);\nfor (const k in { x: 1 }) log(k)\nwhile (s-- > 5) ;\nlog(s)',
  ),
  'if without braces, and the else of the nearest': body(
    'if (event.n) if (event.n > 1) log(1); else log(2)\nif (event.n); else log(3)\nif (event.n === 1) var v = 1\nelse if (event.n === 2) { log(4) } else log(5)\nlog(v)',
  ),
  classes: body(
    'class A { static #n = 1; static { A.#n ||= 2; A.#n += 1 }\n x = event.n || 7\n f = () => this.x\n get v() { return this.x }\n set v(x) { this.x = x }\n static s = A.#n;\n ["c" + 1]() { return super.toString() }\n #p(a = this.x) { return a }\n has(o) { return #p in o && this.#p() } *g() { yield 1; yield* [2] } async m() { await 1 } constructor() { this.k = new.target === A } }\n class B extends (event.n ? A : A) { constructor() { super() && log("super"); this.z = 1 } }\n const b = new B(); b.v = 3; log(b, b.f(), b.c1(), b.has(b), b.has({}), [...b.g()], A.s, b.f.name)',
  ),
  'a class whose fields are called get and static': body(
    'class A { get\n= 1\nstatic = event.n || 2\nasync\n= 3; of = event.n && 4 }\nlog(new A())',
  ),
  'names from where they stand': body(
    'let a = () => {}; const { b = function () {}, c = class {} } = {}; let d; d ??= () => {}; let e; e = () => {}; const o = { f() {}, g: () => {}, ["h" + 1]: () => {} }; class K { i = () => {} }\nconst j = event.n ? () => {} : () => 1, k = null || (() => {})\nlog(a.name, b.name, c.name, d.name, e.name, o.f.name, o.g.name, o.h1.name, new K().i.name, j.name, k.name)',
  ),
  'default values': body(
    'const f = (a = event.n, { b = a + 1, c: [d = b] = [] } = {}, ...r) => [a, b, d, r]; log(f(), f(1, { b: 2 }), f.length); let x, y; [x = 1, y = x] = [undefined, 5]; ({ x = 2, y } = { y: 3 }); log(x, y)',
  ),
  'logical chains': body(
    'log(null ?? (event.n || "a") ?? 1, 0 || "" || event.n && "b", !(event.n && 0)); const o = { m() { return this === o } }; log((o.m || 1)(), (event.n ? o.m : o.m) === o.m); let q = 0; q ||= 4; q &&= q + 1; q ??= 9; log(q)',
  ),
  'optional chains': body('log(event?.x?.y ?? "none", event.z?.(), event?.["n"], (event.n && event)?.n)'),
  'missing semicolons': body(
    'const a = 1\nlog(a)\n;[1, 2].forEach((x) => log(x))\nconst b = a\n++event.n\nlog(b)\n;(() => log(2))()\nlet f = function () { return 3 }\nlog(f())\nvar re = /a\\/[/]/g\n`t`\nif (a) log(re.test("a//"))\nconst async = 1\nasync\nlog(async)\nfor (;;) break\nthrow_()\nfunction throw_() { return\n1 }',
  ),
  'a switch with all there is': body(
    'for (const v of [0, 1, 2, 3, "x", ":"]) switch (v) { case (0): case 1: log("low"); case 2: { log("two"); break } default: log("other"); break; case ":": /* : */ function inner() { return v } log(inner()); case event ? "x" : "y": let z = v; log(z) }\nswitch (1) {}\nswitch (event.n) { case 0: }',
  ),
  templates: body(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code
    'const t = (s, ...v) => s.raw.join("|") + v; log(`a${event.n ? `b${event.n || "c"}` : "d"}e`, t`x${1 && 2}\\n${3}y`)',
  ),
  'regexes and divisions': body(
    'const g = 2, a = 8 / 2 / g; log(a, /[}/]{1,2}/.test("}}"), "x".replace(/x/, () => "`${")); log(a /g/ 2)',
  ),
  'comments everywhere': body(
    '/* a */ if /* b */ ( /* c */ event.n /* d */ ) /* e */ log(1) /* f */; else /* g */ log(2) // h\nconst f = (a /* i */) /* j */ => /* k */ a /* l */ ? /* m */ 1 /* n */ : /* o */ 2 // p\nlog(f(0)) // q',
  ),
  'CRLF and other line ends': body('const a = 1\r\nlog(a)\r\nif (a)\r\n  log("\u2028")\r\nelse log(2)').replaceAll(
    '\n',
    '\r\n',
  ),
  unicode: body('const größe = "😀", 名 = { größe }; log(größe || 名, 名.größe ? "é" : "ß", "\\u{1f600}".length)'),
  'a hashbang': `#!/usr/bin/env node\n${body('log(1)')}`,
  'async code': `${'const wait = async (n) => { for (let i = 0; i < n; i++) await null; return n }\n'}export async function transformEvent(event) {
    const all = await Promise.all([1, 2].map(async (n) => n + await wait(n))); async function* g() { yield* all; yield await 5 }
    for await (const n of g()) if (n > 3) log(n)
    try { await (event.n ? Promise.reject(new Error('no')) : 1) } catch ({ message = 'm' }) { log(message) } finally { log('end') }
    return { ...event, all } }`,
  'top-level await and hoisting': `log(early()); const late = await new Promise((done) => done(3)); function early() { return typeof late2 } var late2 = 1\n${body('log(late, late2)')}`,
  generators: body(
    'function* g(a = yield_()) { const x = yield a; try { return yield x ?? 1 } finally { log("closed") } } function yield_() { return 0 }\nconst it = g(); log(it.next().value, it.next().value, it.return(4).value); for (const v of g()) if (v) break',
  ),
  'errors of user code': body(
    'if (event.n === 1) throw new TypeError("mine")\nif (event.n === 2) null.x\nif (event.n === 3) undefinedThing()\nif (event.n === 0) return null',
  ),
  'code without libraries of ours':
    'export function transformBatch(events) { return events.filter((e) => e.n > 0 && e.n < 3) }',
  'names of ours': body('const $hits = 1, $first = 2; log($hits, $first)'),
  'typeof, delete, in, void, comma': body(
    'const o = { a: 1, b: 2 }; delete o[event.n ? "a" : "b"]; log(o, typeof (event.n && o), "a" in o || void 0, (1, event.n || 2)); for (var i = ("a" in o) ? 1 : 0, j = 2; i < j || false; i++, j && j--) log(i, j)',
  ),
  'code that does not load': 'export function transformEvent(event) { return missing.of(event) }\nmissing.top()',
  'code that no parser takes': 'export function transformEvent(event) { return event +* 2 }',
  'code that does not export': 'const a = 1 || 2',
  'an empty text': '',
}

/** Calls, awaits and functions over several lines, for marks. */
const manyLines: Record<string, string> = {
  'chains of calls': body(
    'log(\n"a b"\n.trim()\n.split(\n" "\n)\n.map((x) =>\nx\n.toUpperCase())\n.concat(...[[1]\n.flat()])\n.join(("x", "-")),\nnew Map(\n[[1, 2]]\n).get(1), event\n?.x\n?.trim()\n.y\n.z(), (event.n || event)\n.toString()\n)',
  ),
  'functions that declare a name twice': body(
    'function f() { var g = 1; function g() {} function h() { return 1 } function h() { return 2 } return typeof g + h() }\nlog(f())',
  ),
  'empty functions': body(
    'function f() {}\nconst g = () => {}, h = async () => {}, C = class { constructor() {} get x() {} }\nlog(f(), g(), new C().x)',
  ),
  'arrows in parentheses and comments': body(
    'const f = (a) => /* x */ (\n// y\n{ a } // z\n)\n, g = (a = (b) => b) => (a) /* => */\nlog(f(1), g()(2), ((a) => a)(3), [4].map((a) => (a, 5)))',
  ),
  'awaits in all places': `export async function transformEvent(event) {
    const get = async (x) => x, o = { async m() { return await (1, get(this.n)) }, n: 3 }
    log(await o.m(), (await get({ a: 1 }))?.a, await get(await get(2)) + await get(1), \`\${await get('t')}\`)
    for (let i = 0; i < await get(2); i++) log(i)
    do log('once'); while (await get(false))
    const late = async () => { try { await get(Promise.reject(new Error('x'))) } catch (e) { return await get(e.message) } finally { await get() } }
    log(await late(), await Promise.all([late(), late()]))
    return await
      get(event)
  }`,
  'recursion and callbacks': body(
    'const fib = (n) => n < 2 ? n : fib(n - 1) + fib(n - 2)\nlog(fib(9), [3, 1, 2].sort((a, b) => a - b), "x".replace(/x/, () => fib(3)))\nlet depth = 0; const down = () => { depth++; down() }; try { down() } catch (e) { log(e instanceof RangeError || e.name, depth > 50) }',
  ),
}

describe('instrumented code', () => {
  for (const [name, code] of Object.entries({ ...tricky, ...manyLines }))
    it(`has the same result with ${name}`, async () => {
      const ended = await endOf(plain, code, 4)
      expect(await endOf(counting, code, 4)).toEqual(ended)
      expect(await endOf(timing, code, 4)).toEqual(ended)
      expect(coverage.uncounted).toEqual(
        name === 'code that no parser takes' ? [{ file: 'code', reason: expect.stringContaining('xpression') }] : [],
      )
    })

  it('has the same result with types and with libraries that import each other', async () => {
    const libraries = {
      money: "import { one } from 'base'\nexport const round = (n: number): number => Math.round(n * 100) / 100 * one",
      base: 'export const one = 1 || 2',
    }
    const code =
      "import { round } from 'money'\ninterface E { n: number }\nexport function transformEvent(event: E): E { return { ...event, n: round(event.n as number) } }"
    const ended = await endOf(counting, code, 3, libraries)
    expect(ended).toEqual(await endOf(plain, code, 3, libraries))
    expect(ended).toMatchObject({ endings: [{ outcome: 'passed' }, { outcome: 'passed' }, { outcome: 'passed' }] })
  })

  it('has the same result for generated programs', async () => {
    await fc.assert(
      fc.asyncProperty(statements, async (text) => {
        const code = body(text)
        const ended = await endOf(plain, code, 2)
        expect(await endOf(counting, code, 2)).toEqual(ended)
        expect(await endOf(timing, code, 2)).toEqual(ended)
        expect(markedSubject({ name: 'code', code }).code).not.toBe(code)
      }),
      { numRuns: 60 },
    )
  })
})

const { statements } = fc.letrec<{ expression: string; statement: string; statements: string }>((tie) => {
  const e = tie('expression')
  const s = tie('statement')
  const joined = (...parts: (string | fc.Arbitrary<string>)[]) =>
    fc.tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part))).map((all) => all.join(''))
  return {
    expression: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      fc.constantFrom(
        'event.n',
        '0',
        '"s"',
        'null',
        '[1]',
        'x',
        '({ y: x })',
        '/a/.test("a")',
        'event.a?.b',
        '-x',
        'x++',
      ),
      joined('(', e, fc.constantFrom(' && ', ' || ', ' + ', ' === ', ', '), e, ')'),
      joined('((', e, ') ?? (', e, '))'),
      joined('(', e, ' ? ', e, ' : ', e, ')'),
      joined('((a = ', e, ') => ', e, ')()'),
      joined('((a, b = a) => { ', s, '; return b })(', e, ')'),
      joined('`t${', e, '}`'),
      joined('[', e, '].map((x) => (', e, '))'),
      joined('(x ||= ', e, ')'),
      joined('({ ...{ z: ', e, ' } }).z'),
    ),
    statement: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      joined('log(', e, ')'),
      joined('x = ', e),
      joined('if (', e, ') { ', s, ' }'),
      joined('if (', e, ') ', s, '\nelse ', s),
      joined('for (const i of [1, 2]) ', s),
      joined('for (let i = 0; i < 2; i++) { ', s, '\n', s, ' }'),
      joined('for (;;) { ', s, '\nbreak }'),
      joined('do ', s, '\nwhile (false)'),
      joined('switch (', e, ') { case ', e, ': ', s, '\ndefault: ', s, '\nbreak; case 1: }'),
      joined('try { ', s, '\nthrow ', e, ' } catch { ', s, ' } finally { ', s, ' }'),
      joined('{ let x = ', e, '\n', s, ' }'),
    ),
    statements: fc.array(s, { minLength: 1, maxLength: 5 }).map((all) => `let x = 1\n${all.join('\n')}`),
  }
})
