import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { engineNames, openGuest } from '../../open-guest.node.ts'
import { joinParts } from '../guest-api-part.ts'
import { textCodingPart } from './text-coding.ts'

describe.each(engineNames)('in %s:', async (engine) => {
  const guest = await openGuest(engine, joinParts([textCodingPart()]))
  afterAll(() => guest.close())
  const run = (code: string) => guest.run(`globalThis.answer = ${code}`)
  const caught = (code: string) => run(`(() => { try { ${code} } catch (e) { return e.name } })()`)

  describe('TextEncoder and TextDecoder', () => {
    const cases = [
      ["[...new TextEncoder().encode('aé€😀')]", [97, 195, 169, 226, 130, 172, 240, 159, 152, 128]],
      ['[...new TextEncoder().encode()]', []],
      ["[...new TextEncoder().encode('\\ud800')]", [239, 191, 189]],
      ["new TextEncoder().encode('a\\0b').length", 3],
      [
        "(() => { const b = new Uint8Array(4); return [new TextEncoder().encodeInto('a€😀', b), [...b]] })()",
        [{ read: 2, written: 4 }, [97, 226, 130, 172]],
      ],
      [
        "(() => { const b = new Uint8Array(9); return [new TextEncoder().encodeInto('😀é', b), [...b]] })()",
        [{ read: 3, written: 6 }, [240, 159, 152, 128, 195, 169, 0, 0, 0]],
      ],
      [
        '(({ encoding }, { fatal, ignoreBOM }) => [encoding, fatal, ignoreBOM])(new TextEncoder(), new TextDecoder())',
        ['utf-8', false, false],
      ],
      ['new TextDecoder().decode(new Uint8Array([97, 195, 169, 0, 98]))', 'aé\0b'],
      ['new TextDecoder().decode(new Uint8Array([239, 187, 191, 97]))', 'a'],
      ["new TextDecoder('utf-8', { ignoreBOM: true }).decode(new Uint8Array([239, 187, 191, 97])).length", 2],
      ['new TextDecoder().decode(new Uint8Array([255]).buffer)', '\ufffd'],
      ['new TextDecoder().decode(new DataView(new Uint8Array([1, 97, 98]).buffer, 1))', 'ab'],
      ['new TextDecoder().decode()', ''],
      ["new TextDecoder('UTF8').encoding", 'utf-8'],
      [
        '(() => { const d = new TextDecoder(); return [226, 130, 172, 240, 159].map((b) => d.decode(new Uint8Array([b]), { stream: true })).concat(d.decode()) })()',
        ['', '', '€', '', '', '\ufffd'],
      ],
    ] as const
    for (const [code, want] of cases) {
      it(`${code} is right`, async () => {
        expect(await run(code)).toEqual(want)
      })
    }
    it('decodes text in pieces as it does in one call, broken sequences included', async () => {
      const byte = fc.oneof(
        fc.constantFrom(0x80, 0xc3, 0xe2, 0x82, 0xf0, 0x9f, 0xef, 0xbb, 0xbf),
        fc.integer({ min: 0, max: 255 }),
      )
      await fc.assert(
        fc.asyncProperty(fc.array(byte, { maxLength: 12 }), async (bytes) => {
          const whole = new TextDecoder().decode(Uint8Array.from(bytes))
          const pieces = `(() => { const d = new TextDecoder(); let t = ''; for (const b of ${JSON.stringify(bytes)}) t += d.decode(new Uint8Array([b]), { stream: true }); return t + d.decode() })()`
          expect(await run(`[new TextDecoder().decode(new Uint8Array(${JSON.stringify(bytes)})), ${pieces}]`)).toEqual([
            whole,
            whole,
          ])
        }),
        { numRuns: 200 },
      )
    })
    it('refuses other encodings, invalid bytes when fatal, and values that are not buffers', async () => {
      expect(await caught("new TextDecoder('latin1')")).toBe('RangeError')
      expect(await caught("new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([255]))")).toBe('TypeError')
      expect(await caught("new TextDecoder().decode('text')")).toBe('TypeError')
      expect(await caught("new TextEncoder().encodeInto('text', [])")).toBe('TypeError')
      expect(await caught('new TextDecoder().decode(new Uint8Array(1048577))')).toBe('RangeError')
    })
  })

  describe('atob and btoa', () => {
    const cases = [
      ["btoa('a\\xff\\0')", btoa('a\xff\0')],
      ["atob('Yf8A')", 'a\xff\0'],
      ["atob(' Y Q = = ')", 'a'],
      ['btoa(12)', 'MTI='],
    ] as const
    for (const [code, want] of cases) {
      it(`${code} is right`, async () => {
        expect(await run(code)).toBe(want)
      })
    }
    it('refuse text that cannot be encoded or decoded', async () => {
      expect(await caught("btoa('€')")).toBe('InvalidCharacterError')
      expect(await caught("atob('a')")).toBe('InvalidCharacterError')
      expect(await caught('atob()')).toBe('TypeError')
      expect(await caught('btoa()')).toBe('TypeError')
    })
  })

  it('user code that overwrites built-ins does not break them', async () => {
    const spoilt = await openGuest(engine, joinParts([textCodingPart()]))
    await spoilt.run(`Array.prototype.slice = String.prototype.slice = Reflect.apply = Uint8Array.prototype.__proto__.set = () => { throw 1 }
    globalThis.Uint8Array = globalThis.TypeError = undefined`)
    expect(
      await spoilt.run(
        "globalThis.answer = [new TextDecoder().decode(new TextEncoder().encode('\\ufeffhé')), atob(btoa('x'))]",
      ),
    ).toEqual(['hé', 'x'])
    spoilt.close()
  })
})
