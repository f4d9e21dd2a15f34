import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { engineNames, openGuest } from '../../open-guest.node.ts'
import { joinParts } from '../guest-api-part.ts'
import { structuredClonePart } from './structured-clone.ts'
import { urlPart } from './url.ts'

describe.each(engineNames)('in %s:', async (engine) => {
  const guest = await openGuest(engine, joinParts([urlPart(), structuredClonePart()]))
  afterAll(() => guest.close())
  const run = (code: string) => guest.run(`globalThis.answer = ${code}`)

  describe('structuredClone', () => {
    const cases = [
      ['structuredClone({ a: [1, { b: null }], c: undefined, d: "x" })', { a: [1, { b: null }], d: 'x' }],
      [
        '(() => { const a = { n: 1 }; a.self = a; const b = structuredClone(a); return b !== a && b.self === b })()',
        true,
      ],
      ['(() => { const s = {}; const c = structuredClone([s, s]); return c[0] === c[1] && c[0] !== s })()', true],
      ['structuredClone(new Date(5)).getTime()', 5],
      [
        '[...structuredClone(new Map([[{ a: 1 }, new Set([2])]])).entries()].map(([k, v]) => [k, [...v]])',
        [[{ a: 1 }, [2]]],
      ],
      ['String(structuredClone(/a+/gi))', '/a+/gi'],
      [
        '(() => { const e = structuredClone(new TypeError("no", { cause: 1 })); return [e instanceof TypeError, e.message, e.cause] })()',
        [true, 'no', 1],
      ],
      ['[...structuredClone(new Uint16Array([1, 513]))]', [1, 513]],
      [
        '(() => { const b = new ArrayBuffer(4); const c = structuredClone({ x: new Uint8Array(b, 1, 2), y: new DataView(b) }); return [c.x.buffer === c.y.buffer, c.x.length, c.x.buffer === b] })()',
        [true, 2, false],
      ],
      [
        '(() => { const b = new ArrayBuffer(4); const c = structuredClone(b, { transfer: [] }); return [b.byteLength, c.byteLength] })()',
        [4, 4],
      ],
      [
        '(() => { class A { x = 1; get y() { return 2 } }; const c = structuredClone(new A()); return [Object.getPrototypeOf(c) === Object.prototype, c] })()',
        [true, { x: 1 }],
      ],
      ['Object.keys(structuredClone(JSON.parse(\'{"__proto__": {"a": 1}}\')))', ['__proto__']],
      ['(() => { const c = structuredClone([, 1]); return [c.length, 0 in c] })()', [2, false]],
      ['[typeof structuredClone(Object("a")), structuredClone(Object(1n)) + 1n === 2n]', ['object', true]],
      ['structuredClone({ [Symbol.toStringTag]: "Number", a: 1 })', { a: 1 }],
      [
        '(() => { const e = structuredClone(Object.assign(new Error(), { name: 7 })); return [e.name, Object.hasOwn(e, "message")] })()',
        ['Error', false],
      ],
    ] as const
    for (const [code, want] of cases) {
      it(`${code} is right`, async () => {
        expect(await run(code)).toEqual(want)
      })
    }
    for (const value of [
      '() => 1',
      'Symbol()',
      '{ f() {} }',
      'new WeakMap()',
      'Promise.resolve()',
      "new URL('http://a/')",
      'new URLSearchParams()',
    ]) {
      it(`refuses ${value}`, async () => {
        expect(
          await run(
            `(() => { try { structuredClone(${value.startsWith('{') ? `(${value})` : value}) } catch (e) { return e.name } })()`,
          ),
        ).toBe('DataCloneError')
      })
    }
    it('refuses to transfer a buffer, and says what to do instead', async () => {
      const code =
        '(() => { const b = new ArrayBuffer(4); try { structuredClone({ b }, { transfer: [b] }) } catch (e) { return [String(e), b.byteLength] } })()'
      expect(await run(code)).toEqual([
        'DataCloneError: an ArrayBuffer cannot be transferred here; it is copied without the option transfer.',
        4,
      ])
    })
    it('refuses no argument, and to transfer what is no buffer or a buffer twice', async () => {
      const name = (args: string) => run(`(() => { try { structuredClone(${args}) } catch (e) { return e.name } })()`)
      expect(await name('')).toBe('TypeError')
      expect(await name('1, { transfer: [{}] }')).toBe('DataCloneError')
      expect(await name('1, { transfer: [globalThis.b = new ArrayBuffer(1), b] }')).toBe('DataCloneError')
    })
    it('returns an equal value for any JSON value', async () => {
      await fc.assert(
        fc.asyncProperty(fc.jsonValue(), async (value) => {
          const text = JSON.stringify(value)
          const code = `JSON.stringify(structuredClone(JSON.parse(${JSON.stringify(text)})))`
          expect(await run(code)).toBe(JSON.stringify(JSON.parse(text)))
        }),
        { numRuns: 100 },
      )
    })
  })

  describe('queueMicrotask', () => {
    it('runs a job after the current code', async () => {
      const code = `const seen = []; queueMicrotask(() => seen.push(2)); seen.push(1); await null; globalThis.answer = seen`
      expect(await guest.run(code)).toEqual([1, 2])
    })
    it('refuses anything but a function', async () => {
      await expect(guest.run('queueMicrotask(1)')).rejects.toThrow('TypeError: queueMicrotask needs a function')
    })
  })
})
