import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { isReachableAddress, parseIpRanges } from '@sluice/core'

/** Error code of a request to an address that is not allowed. */
export const addressRefused = 'EADDRREFUSED'

/**
 * Blocks requests to addresses that are not public. Source: packages/docs/behaviour/user-code.md#addresses (the same
 * rules as `fetch` of user code).
 */
export interface AddressGuard {
  /** Checks an IP address in a URL, which is never looked up. @throws an error with the code `addressRefused`. */
  check(url: URL): void
  /** Returns the allowed addresses of a host; fails with the code `addressRefused` when there are none. */
  readonly lookup: LookupFunction
}

/**
 * @throws RangeError when a range cannot be read.
 * @example
 * ```ts
 * import { createAddressGuard } from '@sluice/delivery'
 *
 * const guard = createAddressGuard([])
 * try {
 *   guard.check(new URL('http://127.0.0.1/'))
 * } catch (error) {
 *   console.log(error instanceof Error && error.name) // Error
 * }
 * ```
 */
export function createAddressGuard(
  allowed: readonly string[],
  lookup: LookupFunction = systemLookup as LookupFunction,
): AddressGuard {
  const ranges = parseIpRanges(allowed)
  const isReachable = (address: string): boolean => isReachableAddress(address, ranges)
  return {
    check: ({ hostname }) => {
      const host = hostname.replace(/^\[|\]$/g, '')
      if (isIP(host) !== 0 && !isReachable(host)) throw refusal()
    },
    lookup: (hostname, options, callback) => {
      lookup(hostname, { ...options, all: true }, (error, found) => {
        if (error) return callback(error, '')
        const addresses = Array.isArray(found) ? found : [{ address: found, family: isIP(found) }]
        const reachable = addresses.filter(({ address }) => isReachable(address))
        const [first] = reachable
        if (first === undefined) return callback(refusal(), '')
        if (options.all) callback(null, reachable)
        else callback(null, first.address, first.family)
      })
    },
  }
}

function refusal(): NodeJS.ErrnoException {
  return Object.assign(new Error('the address is not public'), { code: addressRefused })
}
