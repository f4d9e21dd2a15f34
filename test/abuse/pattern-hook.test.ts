import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEngine, engineBuild } from '../../packages/sandbox/src/vm/engine/engine.ts'
import { MemoryImage } from '../../packages/sandbox/src/vm/engine/memory-image.ts'
import { PatternHook } from '../../packages/sandbox/src/vm/patterns/pattern-hook.ts'
import { roundsOf, sized } from '../support/long.ts'
import { runSeed } from '../support/seed.ts'

const programsPerRound = sized(1_500, 6_000)
/** How often the engine asks whether to go on: about once for 10,000 steps. Some random patterns would take hours. */
const pollsMax = 20

const build = await engineBuild()

/** Runs programs one after the other, each in the same engine as it was at first. */
async function newRunner(isHooked: boolean) {
  const engine = await createEngine(build, 64 * 1024 * 1024)
  const context = engine.quickjs.newContext()
  let polls = 0
  context.runtime.setInterruptHandler(() => {
    polls += 1
    return polls > pollsMax
  })
  // The wrapper makes these when they are first used. They must be part of the image.
  void [context.undefined, context.null, context.true, context.false, context.global]
  const hook = isHooked ? PatternHook.install(engine, context) : undefined
  const image = MemoryImage.take(engine)
  return {
    get answered() {
      return hook?.answered
    },
    /** Returns what the program logs, or the error that ended it; undefined when it ran for too long. */
    run(code: string): string | undefined {
      if (!image.restore(engine)) throw new Error('the engine is damaged')
      hook?.forget()
      polls = 0
      const result = context.evalCode(code)
      if (polls > pollsMax) return undefined
      return result.error ? `ended: ${JSON.stringify(context.dump(result.error))}` : context.getString(result.value)
    },
  }
}

const pick = (...values: readonly string[]) => fc.constantFrom(...values)

const usualAtoms = pick(
  ...['a', 'k', 'K', 's', '1', '@', '-', ':', ' ', '_', '.', '\\.', '\\w', '\\d', '\\s', '\\S', '[a-z]', '[^@]', '[@]'],
  ...['[@.]', '[\\w.-]', '[^\\s@]', '[^k]', '\\x40', '\\u0040', '(?:@+)', '(?:1-1)', '(?:@@)'],
)
/** Parts that are rare, take any character, are refused with the flags u and v, or are read in different ways. */
const rareAtoms = pick(
  ...[
    'é',
    '😀',
    '\\W',
    '\\D',
    '[^]',
    '[]',
    '(?i:k)',
    '\\1',
    '\\b',
    '\\B',
    '^',
    '$',
    '\\u{40}',
    '\\cA',
    '\\07',
    '[\\b]',
    '\\p{L}',
  ],
  ...['{', ']', '\\k<n>', '\\@', '\\-', '[\\d-x]', '[\\s.]', '\\a', 'a{,2}', '\\/', '\\t', '\\0'],
)
const atoms = fc.oneof({ weight: 9, arbitrary: usualAtoms }, { weight: 1, arbitrary: rareAtoms })
const quantifiers = pick('', '', '', '', '*', '+', '+', '?', '*?', '+?', '{2}', '{1,3}', '{2,}', '{0}')
const sources: fc.Arbitrary<string> = fc.letrec<{ source: string; part: string }>((tie) => ({
  source: fc
    .array(fc.array(tie('part'), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 2 })
    .map((alternatives) => alternatives.map((parts) => parts.join('')).join('|')),
  part: fc.oneof(
    { maxDepth: 2 },
    { weight: 4, arbitrary: fc.tuple(atoms, quantifiers).map((parts) => parts.join('')) },
    fc
      .tuple(pick('(', '(?:', '(?=', '(?!', '(?<=', '(?<!', '(?<n>'), tie('source'), quantifiers)
      .map(([open, source, quantifier]) => `${open}${source})${quantifier}`),
  ),
})).source
const flags = fc
  .tuple(fc.subarray(['d', 'g', 'i', 'm', 's', 'y']), pick('', '', '', 'u', 'v'))
  .map(([some, unicode]) => some.join('') + unicode)
const texts = fc.string({
  unit: pick(...'@.-: aKkſ1_é😀0123ßµμ', '\u212a', '\n', '\u2028', '\xa0', '\x01', '\ud800', '{', ']'),
  maxLength: 14,
})
const replacements = pick(
  ...[
    "'x'",
    "'[$&]'",
    "'$1$<n>$$'",
    "(found) => '<' + found + '>'",
    '(...all) => all.length',
    'undefined',
    '5',
    'null',
  ],
  // Read after it was freed in the first version of the hook: the class of an object that is no function.
  ...["{ toString() { log.push('toString'); return 'q' } }", "Object.assign(() => 'p', { toString: () => 't' })"],
  ...['function () { return this === undefined }', 'Math.max', 'async () => 1', 'class {}', 'new Proxy(() => 1, {})'],
  ...["(found) => found.replace(/./, (again) => again.replace(r, 'z'))", "() => { r.lastIndex = 1; return 'l' }"],
)
/** The pattern of a call: the one that is kept and may be changed, or another. `%` is replaced by a new one. */
const patterns = pick('r', 'r', 'r', '%', 'new RegExp(r)', "new RegExp(r, 'g')", 'new (class extends RegExp {})(r)')
const calls = fc
  .tuple(patterns, replacements)
  .chain(([pattern, by]) =>
    pick(
      ...[`t.replace(${pattern}, ${by})`, `t.replace(${pattern}, ${by})`, `t.replaceAll(${pattern}, ${by})`],
      ...[`t.match(${pattern})`, `t.search(${pattern})`, `${pattern}.test(t)`, `t.split(${pattern})`],
      ...[
        `[...t.matchAll(${pattern})]`,
        `${pattern}.exec(t)`,
        `t.replace(${pattern})`,
        `t.replace(${pattern}, 'x', 'y')`,
      ],
      ...[`t.split(${pattern}, undefined)`, `t.split(${pattern}, 1)`, `${pattern}.test()`, `${pattern}.test([t])`],
      `t.split(${pattern}, { valueOf() { log.push('limit'); return 2 } })`,
      `String.prototype.replace.call({ toString() { log.push('text'); return t } }, ${pattern}, ${by})`,
      `String.prototype.match.call(new String(t), ${pattern})`,
      `RegExp.prototype.test.call({ exec: () => null }, t)`,
      `RegExp.prototype[Symbol.replace].call(${pattern}, t, ${by})`,
      `t.replace(Object.defineProperty(Object.create(RegExp.prototype), 'lastIndex', { value: 0, writable: true }), ${by})`,
      `[1, 2].map(() => t.search(${pattern}) + t.length)`,
      `t.replace('@', ${by})`,
      `new Promise(${pattern}.test.bind(${pattern}, t))`,
    ),
  )
const logs = (name: string, rest: string) => `{ log.push('${name}'); ${rest} }`
/** What may be done to the pattern or to the engine before a call. */
const tampering = fc.oneof(
  { weight: 12, arbitrary: pick('') },
  {
    weight: 2,
    arbitrary: pick(
      ...['r.lastIndex = 3', "r.lastIndex = '2'", 'r.lastIndex = -1', 'r.lastIndex = 1.5', 'r.lastIndex = NaN'],
      ...['Object.freeze(r)', "Object.defineProperty(r, 'lastIndex', { writable: false })", 'r.x = 1; delete r.x'],
      ...['Object.setPrototypeOf(r, null)', 'Object.setPrototypeOf(r, Object.create(RegExp.prototype))', 'r.x = 1'],
      ...["Object.defineProperty(r, 'flags', { value: '' })", "r.compile('a')", "r.compile(r.source, 'g')"],
      `r.lastIndex = { valueOf() ${logs('valueOf', 'return 1')} }`,
      `r.lastIndex = { valueOf() ${logs('valueOf', "r.compile('@@')")} }`,
      `r.exec = () => ${logs('own exec', 'return null')}`,
      'r.constructor = { [Symbol.species]: function (...all) { log.push("species"); return new RegExp(...all) } }',
    ),
  },
  {
    weight: 1,
    arbitrary: pick(
      `RegExp.prototype.exec = () => ${logs('patched exec', 'return null')}`,
      `const { exec } = RegExp.prototype; RegExp.prototype.exec = function (text) ${logs('exec', 'return exec.call(this, text)')}`,
      `Object.defineProperty(RegExp.prototype, 'flags', { get() ${logs('flags', "return ''")}, configurable: true })`,
      `Object.defineProperty(RegExp.prototype, 'flags', { value: Object.getOwnPropertyDescriptor(RegExp.prototype, 'flags').get })`,
      `Object.defineProperty(RegExp.prototype, 'global', { get() ${logs('global', 'return false')}, configurable: true })`,
      `Object.defineProperty(RegExp.prototype, 'exec', { get: RegExp.prototype.exec })`,
      `Object.defineProperty(RegExp, Symbol.species, { get() ${logs('species', 'return undefined')} })`,
      ...["RegExp.prototype[Symbol.replace] = () => 'patched'", "RegExp.prototype[Symbol.match] = () => 'm'"],
      ...['RegExp.prototype[Symbol.match] = undefined', 'delete RegExp.prototype[Symbol.search]'],
      ...['RegExp.prototype.constructor = class { exec() { return null } }', 'RegExp.prototype.extra = 1'],
      ...[
        "String.prototype.replace = () => 'own'",
        "Object.prototype.exec = () => 'inherited'",
        'delete RegExp.prototype.exec',
      ],
      ...['Array.of = () => 1', 'Object.freeze(RegExp.prototype)', 'Object.setPrototypeOf(RegExp.prototype, null)'],
      'for (const key of Reflect.ownKeys(RegExp.prototype)) delete RegExp.prototype[key]',
      'const kept = []; for (let i = 0; i < 3e4; i++) kept.push(t + i); log.push(kept.length)',
    ),
  },
)
/** How the engine keeps a text: as it is, put together from two, cut out of a longer one, or with two bytes each. */
const shapes = pick(
  '',
  '',
  '',
  't += t',
  "t = t + 'tail'.repeat(300)",
  't = (t + "Ω").slice(0, -1)',
  't = [t, t].join("")',
)

const steps = fc.tuple(texts, shapes, tampering, calls)
function isValid(source: string, flag: string): boolean {
  try {
    return new RegExp(source, flag).source !== ''
  } catch {
    return false
  }
}
/** Few patterns that are not valid: the engine refuses these when it reads the program. */
const sourcesAndFlags = fc.oneof(
  { weight: 9, arbitrary: fc.tuple(sources, flags).filter(([source, flag]) => isValid(source, flag)) },
  { weight: 1, arbitrary: fc.tuple(sources, flags) },
)

const programs = fc
  .tuple(sourcesAndFlags, fc.array(steps, { minLength: 1, maxLength: 6 }))
  .map(([[source, flag], list]) => {
    const literal = `/${source}/${flag}`
    const tried = (action: string) => `try { ${action} } catch (error) { log.push(error.name + ': ' + error.message) }`
    const lines = list.map(
      ([text, shape, tamper, call]) =>
        `t = ${JSON.stringify(text)}; ${shape}; ${tried(tamper)}; ${tried(`log.push(${call.replaceAll('%', () => literal)})`)}; ${tried('log.push(Object.is(r.lastIndex, NaN) ? "NaN" : r.lastIndex)')}`,
    )
    return `(() => {
    'use strict'
    const { stringify } = JSON
    const log = []
    let t
    const r = ${literal}
    ${lines.join('\n')}
    return stringify(log, (_, value) => typeof value === 'function' ? 'function' : value === undefined ? 'undefined' : value)
  })()`
  })

describe('random programs', () => {
  it.each(roundsOf(sized(1, 10)))('do the same with the pattern hook as without it, %s', async (round) => {
    const hooked = await newRunner(true)
    const plain = await newRunner(false)
    let ran = 0
    fc.assert(
      fc.property(programs, (code) => {
        const log = plain.run(code)
        if (log === undefined) return
        expect(hooked.run(code), code).toBe(log)
        if (!log.startsWith('ended')) ran += 1
      }),
      { numRuns: programsPerRound, seed: runSeed + Number(/\d+/.exec(round)) },
    )
    expect(hooked.answered).toBeGreaterThan(programsPerRound / 8)
    expect(ran).toBeGreaterThan(programsPerRound / 2)
  })
})
