import { runInNewContext } from 'node:vm'
import type { JsonValue } from '@sluice/core'
import fc from 'fast-check'
import type { QuickJSContext } from 'quickjs-emscripten-core'
import { afterAll, describe, expect, it } from 'vitest'
import { createSandbox } from '../../sandbox.ts'
import { createEngine, engineBuild } from '../engine/engine.ts'
import { PatternHook } from './pattern-hook.ts'

const sandbox = await createSandbox({ mode: 'in-process', limits: { eventTimeMs: 5_000, batchTimeMs: 20_000 } })
afterAll(() => sandbox.close())
const live = new AbortController().signal

/** Runs code that defines `run(input)`, once per input. */
async function inGuest(code: string, inputs: readonly JsonValue[]): Promise<readonly JsonValue[]> {
  const main = `${code}\nexport const transformEvent = (event) => ({ answer: run(event.input) })`
  const compiled = await sandbox.compile({ name: 't', code: main, libraries: [] })
  if (!compiled.ok) throw new Error(`${compiled.error.message} in ${code}`)
  const run = await compiled.program.run(
    inputs.map((input) => ({ event: { input }, metadata: {} })),
    live,
  )
  return run.outcomes.map((outcome) => {
    if (outcome.kind !== 'pass') throw new Error(`${JSON.stringify(outcome)} of ${code}`)
    return outcome.items[0]?.['answer'] as JsonValue
  })
}

/** Runs the same code in a realm of V8. */
function inV8(code: string, inputs: readonly JsonValue[]): readonly JsonValue[] {
  const text = `${code}\n;JSON.stringify(inputs.map((input) => run(input) ?? null))`
  return JSON.parse(runInNewContext(text, { inputs })) as JsonValue[]
}

const memoryBytes = 64 * 1024 * 1024
const build = await engineBuild()
const plainEngine = await createEngine(build, memoryBytes)
const hookedEngine = await createEngine(build, memoryBytes)

/** Runs the code in a context. Functions are shown as their text. */
function evaluated(context: QuickJSContext, code: string, inputs: readonly JsonValue[]): readonly JsonValue[] {
  const shown = "(_, value) => typeof value === 'function' ? String(value) : value === undefined ? null : value"
  const text = `(() => { 'use strict'; ${code}\nreturn JSON.stringify(${JSON.stringify(inputs)}.map((input) => run(input)), ${shown}) })()`
  const answers = context.unwrapResult(context.evalCode(text)).consume((handle) => context.getString(handle))
  return JSON.parse(answers) as JsonValue[]
}

/** Runs the code in an engine without the hook. */
function inPlainEngine(code: string, inputs: readonly JsonValue[]): readonly JsonValue[] {
  return evaluated(plainEngine.quickjs.newContext(), code, inputs)
}

function hookedRun(code: string, inputs: readonly JsonValue[]) {
  const context = hookedEngine.quickjs.newContext()
  const hook = PatternHook.install(hookedEngine, context)
  if (hook === undefined) throw new Error('the engine has another layout')
  return { answers: evaluated(context, code, inputs), answered: hook.answered }
}

/** Runs the code with the hook. */
function inHookedEngine(code: string, inputs: readonly JsonValue[]): readonly JsonValue[] {
  return hookedRun(code, inputs).answers
}

/** Returns how many calls the host answers for one text. */
const answeredIn = (code: string, text: string): number => hookedRun(code, [text]).answered

/** Code that calls all methods with a text, and shows their results and effects. */
const everyMethod = `
  const tried = (action) => {
    try {
      const value = action()
      return [value instanceof RegExp ? String(value) : value, pattern.lastIndex]
    } catch (error) {
      return [error instanceof TypeError ? 'TypeError' : String(error), pattern.lastIndex]
    }
  }
  const calls = [
    (text) => text.replace(pattern, '<$&$1>'),
    (text) => text.replace(pattern, (...all) => JSON.stringify(all)),
    (text) => text.replaceAll(pattern, '<$\`>'),
    (text) => text.match(pattern),
    (text) => [...text.matchAll(pattern)].map((match) => [...match, match.index]),
    (text) => pattern.test(text),
    (text) => pattern.exec(text),
    (text) => text.search(pattern),
    (text) => text.split(pattern),
    (text) => text.split(pattern, 1),
  ]
  function run({ text, lastIndex }) {
    return calls.map((call) => {
      pattern.lastIndex = lastIndex
      return tried(() => call(text))
    })
  }`

/** Sources whose search takes time for each start, with a character that every match has. */
const slowSources: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('[\\w.]+', '\\S+', '[^@]*', '(?:a|\\w)+', '(.*)', '(?:^|\\s+)', '(?<!x)\\w+?'),
    fc.constantFrom('@', '(@)', '\\.', '(?<n>:)', '[#]', '@+', '-@'),
    fc.oneof(fc.constant(''), fc.constantFrom('\\w+', '(?=a)', '\\b', '$', 'k', '(\\w)\\1')),
  )
  .map((parts) => parts.join(''))

const flagSets = fc.constantFrom('', 'g', 'gi', 'gm', 'i', 'u', 'gu', 'giu', 'gv', 'v', 'dgs', 'iu')
const inputs = fc.record({
  text: fc.string({ unit: fc.constantFrom(...'@.-:# akK1_é'), maxLength: 12 }),
  lastIndex: fc.nat(4),
})

const fullText = 'ann.lee@mail.test, bob@mail.test'
const emptyText = 'nothing of the kind: here'

describe('the pattern hook', () => {
  it('law: give the results of V8, from all methods', async () => {
    await fc.assert(
      fc.asyncProperty(
        slowSources,
        flagSets,
        fc.array(inputs, { minLength: 1, maxLength: 8 }),
        async (source, flags, samples) => {
          const code = `const pattern = /${source}/${flags}${everyMethod}`
          const answers = await inGuest(code, samples).catch((thrown: Error) => {
            // With the flag v, the engine refuses a few classes that are valid.
            if (thrown.message.startsWith('SyntaxError') && flags.includes('v')) return undefined
            throw thrown
          })
          if (answers === undefined) return
          expect(answers).toEqual(inV8(code, samples))
        },
      ),
      { numRuns: 300 },
    )
  })

  const cases: Readonly<Record<string, string>> = {
    'an exec of its own':
      "pattern.exec = () => ({ 0: 'a', index: 0, length: 1 }); return [text.replace(/x/, ''), pattern.test(text), text.search(pattern)]",
    'a patched String.prototype':
      "String.prototype.indexOf = () => 0; return [text.replace(pattern, ''), text.indexOf('q')]",
    'a replace of String.prototype': "String.prototype.replace = () => 'mine'; return text.replace(pattern, '')",
    'a lastIndex that is no number':
      "let log = []; pattern.lastIndex = { valueOf() { log.push(1); return 0 } }; return [text.replace(pattern, 'y'), text.search(pattern), log.length]",
    'a frozen pattern':
      "Object.freeze(pattern); try { return [text.replace(pattern, 'y'), pattern.test(text)] } catch (error) { return [error instanceof TypeError] }",
    'a pattern that is frozen later':
      "text.replace(pattern, ''); Object.freeze(pattern); try { return text.replace(pattern, 'y') } catch (error) { return error instanceof TypeError }",
    'its test, called with another pattern':
      'pattern.test(text); const { test } = pattern; return [test.call(/n/, text), [/n/, /@/].map((other) => test.call(other, text))]',
    'a test of its own':
      "pattern.test = () => 'mine'; return [pattern.test(text), /n/.test.call(pattern, text), text.replace(pattern, 'y')]",
    'its test, called with something else':
      'pattern.test(text); try { return pattern.test.call({ exec: () => ({}) }, text) } catch (error) { return error instanceof TypeError }',
    'its test, called with an object that inherits':
      'pattern.test(text); try { return Object.create(pattern).test(text) } catch (error) { return error instanceof TypeError }',
    'texts that are no strings':
      "let log = []; const odd = { toString() { log.push(1); return text } }; return [pattern.test(odd), pattern.test(null), pattern.test(), String.prototype.replace.call(odd, pattern, ''), log.length]",
    'a replacement with side effects':
      "let log = []; return [text.replace(pattern, { toString() { log.push(1); return 'y' } }), text.replace(pattern), log.length]",
    'a replacement that replaces':
      "return text.replace(pattern, (found) => found.replace(pattern, (again) => again.replace(pattern, 'y')))",
    'a limit with side effects':
      'let log = []; return [text.split(pattern, { valueOf() { log.push(1); return 0 } }), text.split(pattern, 0), log.length]',
    'a constructor of its own':
      "let made = 0; pattern['con' + 'structor'] = function () { made++; return /n/y }; return [text.split(pattern), made]",
    'a list from split, which can be changed':
      "const parts = text.split(pattern); parts.push('y'); return [parts, Array.isArray(parts)]",
    'a method of another pattern':
      "const other = /\\w+#/; return [text.replace(other, 'y'), other.test(text), text.replace(pattern, 'y')]",
    'all methods of another pattern':
      'const other = /\\w+#/; return [text.match(other), text.search(other), text.split(other, 1), text.match(pattern)]',
    'a match before anything else': 'return [text.match(pattern), text.search(pattern)]',
    'a search before anything else': 'return [text.search(pattern), text.match(pattern)]',
    'each pattern on its own':
      "return [/\\w+@/, /\\w+@/g, /\\w+@/i].map((each) => [text.replace(each, 'y'), each.lastIndex])",
    'many patterns before':
      "for (let i = 0; i < 100; i++) text.replace(/n+/g, ''); return [text.replace(pattern, 'y'), text.match(pattern), text.search(pattern)]",
    'the text of a pattern':
      "text.replace(pattern, ''); return [String(pattern), pattern.source, pattern.flags, Object.keys(pattern), JSON.stringify(pattern), pattern instanceof RegExp]",
    'the keys that a loop sees':
      'pattern.test(text); const keys = []; for (const key in pattern) keys.push(key); return [keys, Object.getOwnPropertyNames(pattern), { ...pattern }]',
    'a copy of a pattern':
      "text.replace(pattern, ''); const copy = new RegExp(pattern); const sticky = new RegExp(pattern, 'y'); return [copy.source, copy.test(text), sticky.test(text), text.replace(copy, 'y')]",
    'names and lengths of the methods':
      "text.replace(pattern, ''); return [pattern.test.name, pattern.test.length, pattern.exec.name, typeof pattern.test, 'prototypes' in pattern.test]",
    'a defined exec':
      "Object.defineProperty(pattern, 'exec', { value: () => null }); return [text.replace(pattern, 'y'), pattern.test(text)]",
    'defined flags':
      "let log = []; Object.defineProperty(pattern, 'flags', { get() { log.push(1); return '' } }); return [text.replace(pattern, 'y'), log.length > 0]",
    'a patched RegExp.prototype':
      "RegExp.prototype.exec = () => null; return [text.replace(pattern, 'y'), pattern.test(text), text.search(pattern)]",
    'a patched method of RegExp.prototype':
      "RegExp.prototype[Symbol.replace] = () => 'mine'; RegExp.prototype.test = () => 'mine'; return [text.replace(pattern, 'y'), pattern.test(text)]",
    'a method patched after use':
      "text.replace(pattern, ''); RegExp.prototype[Symbol.replace] = () => 'mine'; return text.replace(pattern, 'y')",
    'a subclass':
      "class Mine extends RegExp { [Symbol.replace](text, by) { return 'mine ' + super[Symbol.replace](text, by) } }\nconst mine = new Mine(pattern); return [text.replace(mine, 'y'), text.split(mine), mine.test(text), mine.constructor === Mine]",
    'a species':
      'let made = 0; pattern.constructor = { [Symbol.species]: function (...all) { made++; return new RegExp(...all) } }; return [text.split(pattern), made]',
    'a compiled pattern':
      "text.replace(pattern, ''); pattern.compile('n', 'g'); return [text.replace(pattern, 'y'), pattern.test(text)]",
    'a changed prototype':
      "Object.setPrototypeOf(pattern, { __proto__: RegExp.prototype, exec: () => null }); return [text.replace(pattern, 'y'), pattern.test(text)]",
    'the prototype':
      'pattern.test(text); return [Object.getPrototypeOf(pattern) === RegExp.prototype, pattern.test === RegExp.prototype.test]',
  }
  for (const [name, body] of Object.entries(cases))
    for (const flags of ['', 'g', 'gi', 'dsu'])
      it(`keep ${name}${flags && ` (${flags})`}`, async () => {
        for (const before of ['', 'pattern.test(text); pattern.lastIndex = 0; ']) {
          const code = `const pattern = /[\\w.]+@([\\w.]+)/${flags}\nfunction run(text) { ${before}${body} }`
          for (const text of [emptyText, fullText]) {
            const answers = await inGuest(code, [text])
            expect(answers, code).toEqual(inPlainEngine(code, [text]))
            // V8 does not read flags that a pattern defines.
            if (name !== 'defined flags') expect(answers, code).toEqual(inV8(code, [text]))
          }
        }
      })

  it('answers for patterns wherever they are made, whatever else the code mentions', () => {
    const code = `const kept = /[\\w ]+@/g
      const list = [[/\\d{3}-\\d{3}/, 'x'], [/#+/y, 'y']]
      function run(text) {
        RegExp.prototype
        list.forEach(([pattern, by]) => text.replace(pattern, by))
        return [text.replace(kept, ''), text.match(/a@b/i), new RegExp('@' + '@').test(text), text.split(/\\s*;\\s*/).length]
      }`
    expect(answeredIn(code, emptyText)).toBe(6)
    expect(answeredIn(code, 'a@@b 123-456 ###; ')).toBe(0)
  })
  it('leaves long texts to the engine, which can be stopped while it searches', () => {
    const code = 'function run(text) { return /\\d@/.test(text.repeat(65_536)) }'
    expect([answeredIn(code, 'a'), answeredIn(code, 'ab')]).toEqual([1, 0])
  })
  it('sees a function at the address of one that was freed', () => {
    const code = `let calls = 0
      const own = () => function () { calls += 1; return null }
      const kept = Array.from({ length: 50 }, () => 0)
      function run(text) {
        /@x/.test(text)
        RegExp.prototype.exec = null
        for (let i = 0; i < kept.length; i += 1) {
          RegExp.prototype.exec = kept[i] = own();
          /@x/.test(text)
        }
        return calls
      }`
    expect(inHookedEngine(code, [emptyText])).toEqual([50])
  })
  it('answers nothing that user code could see', () => {
    const code = `const log = []
      class Mine extends RegExp { exec(text) { log.push('exec'); return super.exec(text) } }
      // An object with the same keys as a pattern, which is none.
      const fake = Object.defineProperty(Object.create(RegExp.prototype), 'lastIndex', { value: 0, writable: true })
      const odd = (value) => ({ valueOf() { log.push(value); return value } })
      const tried = (action) => { try { action() } catch (error) { log.push(error.name) } }
      function run(text) {
        text.replace(new Mine('@@'), 'x')
        text.replace(Object.assign(/@@/, { lastIndex: odd(1) }), 'x')
        text.replace(Object.assign(/@@/, { extra: 1 }), 'x')
        text.replace(/@@/, { toString() { log.push('toString'); return 'x' } })
        text.replace(/@@/)
        text.split(/@@/, odd(2))
        tried(() => text.replace(fake, 'x'))
        tried(() => text.replaceAll(/@@/, 'x'))
        tried(() => Object.freeze(/@@/g).test(text))
        tried(() => String.prototype.match.call(null, /@@/))
        new String(text).match(/@@/)
        return log
      }`
    expect(answeredIn(code, emptyText)).toBe(0)
    expect(inHookedEngine(code, [emptyText])).toEqual(inPlainEngine(code, [emptyText]))
  })
  it('answers nothing once a part of the engine that a method uses was replaced, or put back in another way', () => {
    const tampering = [
      'RegExp.prototype.exec = function () { return null }',
      'RegExp.prototype[Symbol.replace] = () => 1; RegExp.prototype[Symbol.match] = () => 1; RegExp.prototype[Symbol.split] = () => 1; RegExp.prototype.exec = () => null',
      "Object.defineProperty(RegExp.prototype, 'exec', { get: RegExp.prototype.exec })",
      // The same words in memory as before, but a value instead of a getter.
      "for (const key of ['flags', 'global']) Object.defineProperty(RegExp.prototype, key, { value: Object.getOwnPropertyDescriptor(RegExp.prototype, key).get }); delete RegExp.prototype.exec",
      'for (let i = 0; i < 2; i++) { const all = Object.getOwnPropertyDescriptors(RegExp.prototype); for (const key of Reflect.ownKeys(all)) { delete RegExp.prototype[key] }; for (const key of Reflect.ownKeys(all)) Object.defineProperty(RegExp.prototype, typeof key === "string" ? key + "x" : Symbol(), all[key]) }; RegExp.prototype.exec = () => null; RegExp.prototype[Symbol.replace] = RegExp.prototype[Symbol.match] = RegExp.prototype[Symbol.split] = () => 1',
    ]
    for (const tamper of tampering) {
      const code = `${tamper}
        const tried = (action) => { try { return action() } catch (error) { return error.name } }
        const run = (text) => [() => text.replace(/@@/g, 'x'), () => text.match(/@@/), () => text.split(/@@/), () => /@@/.test(text)].map(tried)`
      expect(answeredIn(code, emptyText), tamper).toBe(0)
      expect(inHookedEngine(code, [emptyText]), tamper).toEqual(inPlainEngine(code, [emptyText]))
    }
    const species =
      'Object.defineProperty(RegExp, Symbol.species, { get: () => function () { return { exec: () => null } } })'
    expect(answeredIn(`${species}\nconst run = (text) => text.split(/@@/)`, emptyText)).toBe(0)
  })
  it('is not seen: methods, errors and stacks are those of the engine', () => {
    const code = `function run(text) {
        const shown = [String.prototype, RegExp.prototype].map((target) => Reflect.ownKeys(target).map((key) => {
          const { value, ...rest } = Object.getOwnPropertyDescriptor(target, key)
          const inner = typeof value === 'function' ? Reflect.ownKeys(value).map((own) => [own, Object.getOwnPropertyDescriptor(value, own)]) : value
          return [String(key), Object.keys(rest).join(), rest.writable, rest.enumerable, inner, String(value), Object.getPrototypeOf(value ?? {}) === Function.prototype]
        }))
        const stackOf = (action) => { try { return action() } catch (error) { return error.name + error.message + error.stack } }
        const isNew = stackOf(() => new text.replace('x')).includes('TypeError')
        return [shown, isNew, ...[
          () => text.replace(/e/, () => { throw new TypeError('mine') }),
          () => text.replace(/e/, () => null.x),
          () => text.split(/@@/, { valueOf() { throw new TypeError('limit') } }),
          () => String.prototype.replace.call(undefined, /e/, ''),
          () => text.replaceAll(/e/, ''),
          () => RegExp.prototype.test.call(1, text),
          () => text.match({ [Symbol.match]() { return new Error().stack } }),
        ].map(stackOf)]
      }`
    expect(inHookedEngine(code, [emptyText])).toEqual(inPlainEngine(code, [emptyText]))
  })
  it('names the line of an error', async () => {
    const code = `const pattern = /\\w+@/
export function transformEvent({ text, n }) {
  if (n === 3) return text.split(pattern, { valueOf() { throw new TypeError('limit') } })
  return text.replace(pattern, () => { throw new TypeError('mine') })
}`
    const compiled = await sandbox.compile({ name: 'main', code, libraries: [] })
    if (!compiled.ok) throw new Error(compiled.error.message)
    const inputs = [1, 2, 3].map((n) => ({ event: { text: 'a@b', n }, metadata: {} }))
    const [first, second, third] = (await compiled.program.run(inputs, live)).outcomes
    expect(first).toMatchObject({ error: { message: expect.stringContaining('(main:4:') } })
    expect(second).toEqual(first)
    expect(third).toMatchObject({ error: { message: expect.stringContaining('(main:3:') } })
  })
  it('forgets what it knows when memory is restored, and holds no more than it may', () => {
    const code = `const texts = Array.from({ length: 200 }, (_, i) => '@'.repeat(i % 40 + 1) + i)
      const run = (text) => texts.map((source) => text.match(new RegExp(source)))`
    const answers = inHookedEngine(code, [emptyText, '@@@3@41@42'])
    expect(answers).toEqual(inPlainEngine(code, [emptyText, '@@@3@41@42']))
    expect(answeredIn(code, emptyText)).toBe(64)
  })
  it('leaves recursion through replacements to the limits of the sandbox', async () => {
    const code = `export function transformEvent({ depth }) {
      const f = (n) => n === 0 ? 'end' : 'a'.replace(/a/, () => f(n - 1))
      return { answer: f(depth) }
    }`
    const compiled = await sandbox.compile({ name: 'main', code, libraries: [] })
    if (!compiled.ok) throw new Error(compiled.error.message)
    const inputs = [20, 1e6, 20].map((depth) => ({ event: { depth }, metadata: {} }))
    const { outcomes } = await compiled.program.run(inputs, live)
    expect(outcomes).toMatchObject([
      { items: [{ answer: 'end' }] },
      { kind: 'fail', error: { message: expect.stringContaining('Maximum call stack size exceeded') } },
      { items: [{ answer: 'end' }] },
    ])
  })
  it('end at the time limit', async () => {
    const strict = await createSandbox({ mode: 'in-process', limits: { eventTimeMs: 60 } })
    const code = `const pattern = /(?:\\w+)+@/
export function transformEvent({ text }) { return { found: pattern.test(text) } }`
    const compiled = await strict.compile({ name: 'main', code, libraries: [] })
    if (!compiled.ok) throw new Error(compiled.error.message)
    const texts = ['a'.repeat(40), `@${'a'.repeat(40)}`]
    const inputs = texts.map((text) => ({ event: { text }, metadata: {} }))
    const { outcomes } = await compiled.program.run(inputs, live)
    expect(outcomes).toMatchObject([
      { kind: 'pass', items: [{ found: false }] },
      { kind: 'fail', error: { code: 'transform.timeout' } },
    ])
    await strict.close()
  })
})
