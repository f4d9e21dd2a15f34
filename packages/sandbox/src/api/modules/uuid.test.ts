import { createManualClock, createSeededRandom } from '@sluice/core'
import { afterAll, describe, expect, it } from 'vitest'
import { engineNames, openGuest } from '../../open-guest.node.ts'
import { joinParts } from '../guest-api-part.ts'
import { uuidPart } from './uuid.ts'

describe.each(engineNames)('in %s:', async (engine) => {
  const open = (seed: number) =>
    openGuest(engine, joinParts([uuidPart(createManualClock(Date.UTC(2026, 0, 1)), createSeededRandom(seed))]))
  const guest = await open(1)
  afterAll(() => guest.close())
  const run = (code: string) => guest.run(`import * as u from '@sluice/uuid'; globalThis.answer = ${code}`)

  describe('@sluice/uuid', () => {
    it('creates version 4 and 7 identifiers, one or many', async () => {
      expect(await run('u.v4()')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(await run('u.v7()')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(await run('new Set(u.v4(100)).size')).toBe(100)
      expect(await run('u.v7(2).length')).toBe(2)
    })
    it('version 7 begins with the time of the clock', async () => {
      const stamp = Date.UTC(2026, 0, 1).toString(16).padStart(12, '0')
      expect(await run("u.v7().replaceAll('-', '').slice(0, 12)")).toBe(stamp)
    })
    it('the same seed results in the same identifiers', async () => {
      const answers = []
      for (const one of [await open(7), await open(7)]) {
        answers.push(await one.run("import { v4 } from '@sluice/uuid'; globalThis.answer = v4(3)"))
        one.close()
      }
      expect(answers[0]).toEqual(answers[1])
    })
    it('version 5 of a well-known name has its documented value', async () => {
      expect(await run("u.v5('www.example.com', 'dns')")).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2')
      expect(await run("u.v5(['www.example.com'], '6ba7b810-9dad-11d1-80b4-00c04fd430c8')")).toEqual([
        '2ed6657d-e927-568b-95e1-2665a8aea6a2',
      ])
    })
    it('refuses invalid counts and name spaces', async () => {
      await expect(run('u.v4(-1)')).rejects.toThrow('v4: the count must be a whole number from 0 to 10000')
      await expect(run('u.v4(1e9)')).rejects.toThrow('RangeError')
      await expect(run("u.v5('a', 'constructor')")).rejects.toThrow(
        'v5: the name space must be dns, url, oid, x500 or a UUID',
      )
      await expect(run("u.v5('a')")).rejects.toThrow('v5 takes text, not nothing')
    })
  })
})
