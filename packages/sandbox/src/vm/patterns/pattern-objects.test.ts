import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { patternFacts } from '../../patterns/pattern-facts.ts'
import { createEngine, engineBuild } from '../engine/engine.ts'
import { GuestWords } from './guest-words.ts'
import { HostMethods } from './host-methods.ts'
import { KnownPatterns } from './known-patterns.ts'
import { lacksMatch } from './lacks-match.ts'
import { watchesOf } from './method-watches.ts'
import { PatternObjects } from './pattern-objects.ts'
import { loadPatternProgram } from './pattern-program.ts'

const engine = await createEngine(await engineBuild(), 32 * 1024 * 1024)
const context = engine.quickjs.newContext()
const words = new GuestWords(engine)
const program = loadPatternProgram(words, context, new HostMethods(engine.quickjs, context))
words.renew()

describe('objects of patterns', () => {
  it('are where this build of the engine has them', () => {
    expect(PatternObjects.of(words, program)).toBeDefined()
    expect(watchesOf(words, program.watched)).toBeDefined()
  })
  it('are refused when they are anywhere else, or have other contents', () => {
    const [first, ...others] = program.samples
    if (first === undefined) throw new Error('no sample')
    const changes = [
      { address: first.address + 8 },
      { address: 0 },
      { address: words.u8.length },
      { source: `${first.source}x` },
      { source: '' },
      { flags: 'gy' },
      { lastIndex: 1 },
    ]
    for (const change of changes) {
      const samples = [...others, { ...first, ...change }]
      expect(PatternObjects.of(words, { ...program, samples }), JSON.stringify(change)).toBeUndefined()
    }
    const { plainObject } = program
    expect(PatternObjects.of(words, { ...program, ownFunction: plainObject })).toBeUndefined()
    expect(PatternObjects.of(words, { ...program, samples: [] })).toBeUndefined()
  })
  it('are refused with keys that are anywhere else', () => {
    const { watched } = program
    const changes = [
      { prototype: watched.regExp },
      { prototype: 0 },
      { exec: watched.replace },
      { search: watched.species },
      { execSample: watched.flagsSample },
      { flagsSample: watched.execSample },
      { execSample: watched.prototype },
      { species: watched.exec },
    ]
    for (const change of changes)
      expect(watchesOf(words, { ...watched, ...change }), Object.keys(change).join()).toBeUndefined()
  })
})

describe('memory that user code has overwritten', () => {
  const objects = PatternObjects.of(words, program)
  const facts = patternFacts('@@', 'g')
  const watch = watchesOf(words, program.watched)?.split
  if (!objects || !facts || !watch) throw new Error('the engine has another layout')
  // Beyond the heap, where the engine has nothing.
  const start = Math.ceil(engine.heapEnd() / 16) * 16
  const addresses = fc.oneof(
    fc.integer({ min: 0, max: 255 }).map((at) => start + at),
    fc.integer({ min: -64, max: 64 }).map((at) => words.u8.length + at),
    fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  )
  const values = fc.oneof(addresses, fc.constantFrom(0, 1, 2 ** 31, 2 ** 32 - 1, 2 ** 31 + 7, 3))

  it('law: is read within its bounds, whatever it says', () => {
    const length = words.u8.length
    fc.assert(
      fc.property(fc.array(values, { minLength: 64, maxLength: 64 }), addresses, addresses, (garbage, a, b) => {
        words.u32.set(garbage, start / 4)
        const patterns = new KnownPatterns(words)
        expect(objects.isUnchanged(a)).toBe(program.samples.some(({ address }) => address === a))
        objects.isPlainReplacement(a)
        expect([objects.compiledAt(a), objects.sourceAt(a), objects.lastIndexAt(a)].every((at) => at >= 0)).toBe(true)
        patterns.at(a, b)
        patterns.at(objects.compiledAt(a), objects.sourceAt(b))
        const text = words.word(a + 4)
        const chars = text === undefined ? 0 : (text & 0x7fff_ffff) * (text > 0x7fff_ffff ? 2 : 1)
        if (text === undefined || a + 16 + chars > length + 1) expect(lacksMatch(words, a, facts)).toBe(false)
        else lacksMatch(words, a, facts)
        expect((words.latinText(a, 500) ?? '').length).toBeLessThanOrEqual(500)
      }),
      { numRuns: 2_000 },
    )
  })
  it('is not what it was, when any watched word is another', () => {
    for (const each of watch) expect(each.isUnchanged(words)).toBe(true)
    const [first] = watch
    const { prototype } = program.watched
    // The addresses of the shape and of the properties.
    for (const at of [20, 24]) {
      const before = words.u32[(prototype + at) / 4] ?? 0
      words.u32[(prototype + at) / 4] = before + 8
      expect(first?.isUnchanged(words)).toBe(false)
      words.u32[(prototype + at) / 4] = before
    }
    expect(first?.isUnchanged(words)).toBe(true)
  })
})
