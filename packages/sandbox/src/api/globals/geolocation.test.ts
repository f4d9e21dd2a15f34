import { describe, expect, it } from 'vitest'
import { engineNames, openGuest } from '../../open-guest.node.ts'
import { joinParts } from '../guest-api-part.ts'
import { type GeolocationPort, geolocationPart } from './geolocation.ts'

describe.each(engineNames)('in %s:', async (engine) => {
  async function ask(port: GeolocationPort | undefined, argument: string, timeMs?: number) {
    const guest = await openGuest(engine, joinParts([geolocationPart(port, timeMs)]))
    const code = `globalThis.answer = await geolocation(${argument}).catch((e) => [e instanceof Error, e.message])`
    return guest.run(code).finally(() => guest.close())
  }
  const berlin: GeolocationPort = async (ip) => ({ ip, city: 'Berlin' })

  describe('geolocation', () => {
    it('returns what the port knows', async () => {
      expect(await ask(berlin, "'9.9.9.9'")).toEqual({ ip: '9.9.9.9', city: 'Berlin' })
      expect(await ask(berlin, "'2620:fe::fe'")).toEqual({ ip: '2620:fe::fe', city: 'Berlin' })
    })
    const cases = [
      ['', 'ip address is required'],
      ['null', 'ip address is required'],
      ["''", 'ip address is required'],
      ["'../admin'", 'invalid ip address'],
      ['5', 'invalid ip address'],
      ["['9.9.9.9']", 'invalid ip address'],
    ] as const
    for (const [argument, message] of cases) {
      it(`geolocation(${argument}) rejects: ${message}`, async () => {
        expect(await ask(berlin, argument)).toEqual([true, message])
      })
    }
    it('hides the errors of the port, and does not exceed its time limit', async () => {
      const failed = [true, 'geolocation is not available right now']
      expect(await ask(undefined, "'9.9.9.9'")).toEqual(failed)
      expect(await ask(() => Promise.reject(new Error('/srv/geo.db is missing')), "'9.9.9.9'")).toEqual(failed)
      const throwing: GeolocationPort = () => {
        throw new Error('/srv/geo.db is missing')
      }
      expect(await ask(throwing, "'9.9.9.9'")).toEqual(failed)
      expect(await ask(() => new Promise(() => {}), "'9.9.9.9'", 50)).toEqual(failed)
    })
  })
})
