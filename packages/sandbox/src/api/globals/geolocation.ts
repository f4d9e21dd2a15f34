import { isIp, type JsonObject } from '@sluice/core'
import { geolocationGlobals } from '../../guest-programs.ts'
import type { GuestApiPart } from '../guest-api-part.ts'

/**
 * Returns the location of an IP address, supplied by the operator. A rejection means that it is currently unavailable.
 */
export type GeolocationPort = (ip: string, signal: AbortSignal) => Promise<JsonObject>

/** Time limit of one look-up. Source: packages/docs/behaviour/user-code.md#geolocation. */
const defaultTimeMs = 1_000
const notAvailable = 'geolocation is not available right now'

/**
 * `geolocation(ip)` returns a promise of what the port knows about an address. Source of the messages:
 * packages/docs/behaviour/user-code.md#geolocation. Errors of the port are hidden from user code, because they may
 * contain details of the host system.
 */
export function geolocationPart(port: GeolocationPort | undefined, timeMs: number = defaultTimeMs): GuestApiPart {
  return {
    globals: geolocationGlobals,
    asyncCalls: {
      geolocation: async ([ip], { signal }) => {
        if (ip === null || ip === undefined || ip === '') throw new Error('ip address is required')
        if (typeof ip !== 'string' || isIp(ip) === 0) throw new Error('invalid ip address')
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
