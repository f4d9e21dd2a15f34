import { afterAll, describe, expect, it } from 'vitest'
import { engineNames, openGuest } from '../../open-guest.node.ts'
import { joinParts } from '../guest-api-part.ts'
import { userAgentPart } from './user-agent.ts'

describe.each(engineNames)('in %s:', async (engine) => {
  const guest = await openGuest(engine, joinParts([userAgentPart()]))
  afterAll(() => guest.close())
  const run = (code: string) => guest.run(`import { parse } from '@sluice/user-agent'; globalThis.answer = ${code}`)
  const pixel =
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36'
  const nothing = { browser: {}, engine: {}, os: {}, device: {}, cpu: {} }

  describe('@sluice/user-agent', () => {
    it('names browser, system and device', async () => {
      expect(await run(`parse('${pixel}')`)).toMatchObject({
        browser: { name: 'Chrome', version: '126.0.0.0', major: '126' },
        os: { name: 'Android', version: '14' },
        device: { vendor: 'Google', model: 'Pixel 8', type: 'mobile' },
      })
    })
    it('returns nothing for an absent or made-up text, and accepts lists', async () => {
      expect(await run("parse([undefined, null, '', 'nonsense'])")).toEqual([nothing, nothing, nothing, nothing])
      expect(await run('parse()')).toEqual(nothing)
    })
    it('refuses what is not text', async () => {
      await expect(run('parse(5)')).rejects.toThrow('TypeError: parse takes text or a list of texts')
      await expect(run('parse(Array(1001).fill(""))')).rejects.toThrow('RangeError: parse takes at most 1000 texts')
    })

    it('no hostile text takes longer than a few milliseconds', () => {
      const parse = userAgentPart().syncCalls?.['userAgent']
      const pieces = [
        ' ',
        '/',
        '; ',
        '(',
        ')',
        'a',
        '1.',
        'android ',
        'linux; ',
        'mozilla/',
        'droid 1; aa ',
        'build/',
        'version/1.1 ',
        'mobile ',
        'safari/',
        'windows nt ',
        'mac os x ',
        'smart-tv ',
        'iphone ',
        'opera mini/',
        'samsung ',
        'lg-',
        'nokia',
        'hbbtv/',
        'applewebkit',
        'chrome/1 ',
        'tablet ',
        'aa bb ',
        'puffin/',
        'x11; ',
        'cfnetwork/',
        'dart:',
        'w',
      ] as const
      for (const first of pieces)
        for (const second of pieces) {
          const text = first.repeat(3) + second.repeat(Math.ceil(500 / second.length)) + first
          // Measured: 1 ms at most. The processor may be taken away while it is measured, so the limit is far above.
          expect(() => parse?.([text.slice(0, 500)], {}), JSON.stringify(first + second)).toCostAtMost(100)
        }
    })
  })
})
