import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { isReachableAddress, parseIpRange } from '@sluice/core'

/** The code of a request that would leave for an address it may not reach. */
export const addressRefused = 'EADDRREFUSED'

/** This machine, by the name people know it under. */
const localhost = ['127.0.0.0/8', '::1']

/**
 * Keeps requests from addresses that are not public. Source: packages/docs/behaviour/user-code.md#addresses (the same
 * rules as `fetch` of user code).
 */
export interface AddressGuard {
  /** For addresses that stand in a URL, which are never looked up. @throws an error with the code `addressRefused`. */
  check(url: URL): void
  /** Gives the reachable ones of the addresses of a host; fails with the code `addressRefused` when there are none. */
  readonly lookup: LookupFunction
}

/** @throws RangeError when a range cannot be read. */
export function createAddressGuard(
  allowed: readonly string[],
  lookup: LookupFunction = systemLookup as LookupFunction,
): AddressGuard {
  const ranges = allowed.flatMap((range) => (range === 'localhost' ? localhost : [range])).map(parseIpRange)
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
