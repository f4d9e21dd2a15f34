import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { engineNames, openGuest } from '../../open-guest.node.ts'
import { joinParts } from '../guest-api-part.ts'
import { encodingPart } from './encoding.ts'

describe.each(engineNames)('in %s:', async (engine) => {
  const guest = await openGuest(engine, joinParts([encodingPart()]))
  afterAll(() => guest.close())
  const run = (code: string) => guest.run(`import * as e from '@sluice/encoding'; globalThis.answer = ${code}`)

  describe('@sluice/encoding', () => {
    const cases = [
      ["e.base64Encode('héllo')", 'aMOpbGxv'],
      ["e.base64Decode('aMOpbGxv')", 'héllo'],
      ["e.base64Decode('YQ')", 'a'],
      ["e.base64UrlEncode('??>')", 'Pz8-'],
      ["e.base64UrlDecode('Pz8-')", '??>'],
      ["e.hexEncode(['a', 'é'])", ['61', 'c3a9']],
      ["e.hexDecode('C3a9')", 'é'],
      ["e.utf8Length(['a', 'é', '😀'])", [1, 2, 4]],
    ] as const
    for (const [code, want] of cases) {
      it(`${code} is right`, async () => {
        expect(await run(code)).toEqual(want)
      })
    }
    for (const code of [
      "e.base64Decode('a')",
      "e.base64Decode('YQ=')",
      "e.base64Decode('Pz8-')",
      "e.hexDecode('abc')",
      "e.hexDecode('zz')",
    ]) {
      it(`${code} is refused rather than truncated`, async () => {
        await expect(run(code)).rejects.toThrow(/TypeError: \w+: the text is not/)
      })
    }
    it('decodes what it encoded, for any text without lone surrogates', async () => {
      await fc.assert(
        fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 30 }), async (text) => {
          const quoted = JSON.stringify(text)
          const code = ['base64', 'base64Url', 'hex'].map((name) => `e.${name}Decode(e.${name}Encode(${quoted}))`)
          expect(await run(`[${code.join()}]`)).toEqual([text, text, text])
        }),
        { numRuns: 50 },
      )
    })
  })
})
