import type { Clock, Random } from '@sluice/core'
import type { GuestApi } from '../guest-api.ts'
import { fetchPart } from './fetch/fetch.ts'
import type { FetchOptions } from './fetch/fetch-rules.ts'
import type { GuestFetch } from './fetch/guest-fetch.ts'
import { credentialsPart } from './globals/credentials.ts'
import { type GeolocationPort, geolocationPart } from './globals/geolocation.ts'
import { structuredClonePart } from './globals/structured-clone.ts'
import { textCodingPart } from './globals/text-coding.ts'
import { urlPart } from './globals/url.ts'
import { joinParts } from './guest-api-part.ts'
import { encodingPart } from './modules/encoding.ts'
import { hashPart } from './modules/hash.ts'
import { piiPart } from './modules/pii.ts'
import { probesPart } from './modules/probe-module.ts'
import { userAgentPart } from './modules/user-agent.ts'
import { uuidPart } from './modules/uuid.ts'
import { rudderLibraries } from './rudder/rudder-libraries.ts'

interface GuestApiOptions {
  /** What user code may fetch, or a function to use instead of the network. Absent: fetching is not allowed. */
  readonly fetch?: FetchOptions | GuestFetch
  /** Port for `geolocation(ip)`. Absent: geolocation is unavailable. */
  readonly geolocation?: GeolocationPort
  /** Clock for uuid v7. */
  readonly clock: Clock
  /** Randomness for uuid v4 and v7, and for encryption. */
  readonly random: Random
  /** Enables the module that instrumented code imports. Absent: the module does not exist. */
  readonly probes?: { readonly isTimed: boolean }
}

/**
 * Creates the API of user code beyond the language, `log`, `console` and `metadata`: the modules `@sluice/hash`,
 * `encoding`, `url`, `user-agent`, `uuid` and `pii`; the libraries `@rs/…` of RudderStack; URL, URLSearchParams, TextEncoder, TextDecoder, atob, btoa,
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
    rudderLibraries(random),
    credentialsPart(),
    geolocationPart(geolocation),
    fetchPart(fetch),
    ...(probes ? [probesPart(probes.isTimed)] : []),
  ])
}
