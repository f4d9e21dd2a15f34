import type { FetchOptions } from './fetch-rules.ts'
import type { GuestFetch } from './guest-fetch.ts'

/**
 * Always throws: only Node can check the address of a connection before it is made.
 * @throws RangeError that says what to use instead.
 */
export function createGuestFetch(_options: FetchOptions): GuestFetch {
  throw new RangeError(
    'sandbox option fetch needs Node, which checks the addresses that user code reaches; elsewhere pass a function that returns recorded responses',
  )
}
