import { createHash, createHmac } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { engineNames, openGuest } from '../../open-guest.node.ts'
import { joinParts } from '../guest-api-part.ts'
import { hashPart } from './hash.ts'

describe.each(engineNames)('in %s:', async (engine) => {
  const guest = await openGuest(engine, joinParts([hashPart()]))
  afterAll(() => guest.close())
  const run = (code: string) => guest.run(`import * as h from '@sluice/hash'; globalThis.answer = ${code}`)

  describe('@sluice/hash', () => {
    const cases = [
      ["h.sha256('abc')", 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
      ["h.sha1('abc')", 'a9993e364706816aba3e25717850c26c9cd0d89d'],
      ["h.md5('')", 'd41d8cd98f00b204e9800998ecf8427e'],
      ["h.sha512('abc').length", 128],
      ["h.sha256('abc', { output: 'base64' })", 'ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0='],
      ["h.sha1('616263', { input: 'hex' })", 'a9993e364706816aba3e25717850c26c9cd0d89d'],
      ["h.md5(['', 'abc'])", ['d41d8cd98f00b204e9800998ecf8427e', '900150983cd24fb0d6963f7d28e17f72']],
      [
        "h.hmac('sha256', 'key', 'The quick brown fox jumps over the lazy dog')",
        'f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8',
      ],
      [
        "h.hmac('sha256', '6b6579', 'a', { key: 'hex', output: 'base64' })",
        createHmac('sha256', 'key').update('a').digest('base64'),
      ],
    ] as const
    for (const [code, want] of cases) {
      it(`${code} is right`, async () => {
        expect(await run(code)).toEqual(want)
      })
    }

    const refused = [
      ['h.sha256(5)', 'TypeError: sha256 takes text or a list of texts, not a value of type number'],
      ['h.sha256()', 'TypeError: sha256 takes text or a list of texts, not nothing'],
      ["h.sha256(['a', null])", 'TypeError: sha256 takes texts; item 1 is nothing'],
      ["h.sha256('a', { output: 'utf8' })", 'TypeError: sha256: output must be one of hex, base64, base64url'],
      ["h.sha256('a', { encoding: 'hex' })", 'TypeError: sha256 knows no option encoding; there are output, input'],
      ["h.hmac('constructor', 'k', 'a')", 'TypeError: hash: the algorithm must be one of sha256, sha512, sha1, md5'],
      ["h.sha256('x'.repeat(4194305))", 'RangeError: sha256 takes at most 4194304 characters in one call'],
      ['h.sha256(Array(20001).fill(""))', 'RangeError: sha256 takes at most 20000 texts in one call'],
    ] as const
    for (const [code, message] of refused) {
      it(`${code} is refused with a clear message`, async () => {
        await expect(run(code)).rejects.toThrow(message)
      })
    }

    it('hashes the UTF-8 bytes of any text', async () => {
      const text = fc.string({ unit: 'binary', maxLength: 40 })
      await fc.assert(
        fc.asyncProperty(fc.array(text, { maxLength: 5 }), async (texts) => {
          const want = texts.map((one) => createHash('sha256').update(one, 'utf8').digest('hex'))
          expect(await run(`h.sha256(${JSON.stringify(texts)})`)).toEqual(want)
        }),
        { numRuns: 15 },
      )
    })
  })
})
