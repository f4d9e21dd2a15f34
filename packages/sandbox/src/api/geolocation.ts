import { isIP } from 'node:net'
import type { JsonObject } from '@sluice/core'
import type { GuestApiPart } from './guest-api-part.ts'

/** Where an IP address is, as far as whoever runs this can tell. Rejecting means: not available right now. */
export type GeolocationPort = (ip: string, signal: AbortSignal) => Promise<JsonObject>

/** Time that one look-up may take. Source: packages/docs/behaviour/user-code.md#geolocation. */
const defaultTimeMs = 1_000
const notAvailable = 'geolocation is not available right now'

/**
 * `geolocation(ip)`: a promise for what the port knows about an address. Source of the texts:
 * packages/docs/behaviour/user-code.md#geolocation.
 * The port's own errors are not shown to user code; they may tell about the host.
 */
export function geolocationPart(port: GeolocationPort | undefined, timeMs: number = defaultTimeMs): GuestApiPart {
  return {
    globals,
    asyncCalls: {
      geolocation: async ([ip], { signal }) => {
        if (ip === null || ip === undefined || ip === '') throw new Error('ip address is required')
        if (typeof ip !== 'string' || isIP(ip) === 0) throw new Error('invalid ip address')
        if (port === undefined) throw new Error(notAvailable)
        return await answerInTime(port, ip, AbortSignal.any([signal, AbortSignal.timeout(timeMs)]))
      },
    },
  }
}

async function answerInTime(port: GeolocationPort, ip: string, signal: AbortSignal): Promise<JsonObject> {
  let giveUp: () => void = () => {}
  const tooLate = new Promise<undefined>((resolve) => {
    giveUp = () => resolve(undefined)
  })
  signal.addEventListener('abort', giveUp)
  try {
    const asked = (async () => port(ip, signal))()
    const answer = await Promise.race([tooLate, asked]).catch(() => undefined)
    if (answer === undefined) throw new Error(notAvailable)
    return answer
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}

const globals = `
(function () {
  const later = callHostLater
  const geolocation = (ip) => later('geolocation', ip)
  Object.defineProperty(globalThis, 'geolocation', { value: geolocation, writable: true, configurable: true })
})()
`
