import type { Clock, Random } from '@sluice/core'
import type { GuestApi } from '../guest-api.ts'
import { credentialsPart } from './credentials.ts'
import { encodingPart } from './encoding.ts'
import { fetchPart } from './fetch.ts'
import type { FetchOptions } from './fetch-rules.ts'
import { type GeolocationPort, geolocationPart } from './geolocation.ts'
import { joinParts } from './guest-api-part.ts'
import type { GuestFetch } from './guest-fetch.ts'
import { hashPart } from './hash.ts'
import { piiPart } from './pii.ts'
import { probesPart } from './probe-module.ts'
import { structuredClonePart } from './structured-clone.ts'
import { textCodingPart } from './text-coding.ts'
import { urlPart } from './url.ts'
import { userAgentPart } from './user-agent.ts'
import { uuidPart } from './uuid.ts'

export interface GuestApiOptions {
  /** What user code may fetch, or a function to use instead of the network. Absent: fetching is not allowed. */
  readonly fetch?: FetchOptions | GuestFetch
  /** Port for `geolocation(ip)`. Absent: geolocation is unavailable. */
  readonly geolocation?: GeolocationPort
  /** Clock for uuid v7. */
  readonly clock: Clock
  /** Randomness for uuid v4 and v7. */
  readonly random: Random
  /** Enables the module that instrumented code imports. Absent: the module does not exist. */
  readonly probes?: { readonly isTimed: boolean }
}

/**
 * Creates the API of user code beyond the language, `log`, `console` and `metadata`: the modules `@sluice/hash`,
 * `encoding`, `url`, `user-agent`, `uuid` and `pii`; URL, URLSearchParams, TextEncoder, TextDecoder, atob, btoa,
 * structuredClone and queueMicrotask; fetch, fetchV2, geolocation and getCredential. Types for authors are in `types/`.
 *
 * Sync calls need only clock and random, so a worker can create its own; async calls run in the main thread.
 * @throws RangeError when an option of `fetch` is invalid.
 */
export function createGuestApi({ fetch, geolocation, clock, random, probes }: GuestApiOptions): GuestApi {
  return joinParts([
    urlPart(),
    textCodingPart(),
    structuredClonePart(),
    hashPart(),
    encodingPart(),
    userAgentPart(),
    uuidPart(clock, random),
    piiPart(),
    credentialsPart(),
    geolocationPart(geolocation),
    fetchPart(fetch),
    ...(probes ? [probesPart(probes.isTimed)] : []),
  ])
}
