import type { PlainHeaders } from '../plain-request.ts'

/** Why a body cannot be parsed as JSON. */
type ReasonNotJson = 'bodyInvalidJson' | 'bodyTypeUnsupported' | 'bodyEncodingUnsupported'

/** Encodings that are decoded, and those that change nothing. */
const knownEncodings = new Set(['', 'identity', 'gzip', 'x-gzip', 'deflate', 'br'])

/**
 * Returns why a body that is not JSON is refused. Headers are only looked at then, because senders mislabel JSON:
 * `fetch` sends text as text/plain, curl as a form, and beacons in browsers cannot choose. A body that begins as JSON is
 * malformed JSON, whatever it is called.
 */
export function reasonNotJson(headers: PlainHeaders, body: Uint8Array): ReasonNotJson {
  if (!knownEncodings.has((headers.get('content-encoding') ?? '').trim().toLowerCase()))
    return 'bodyEncodingUnsupported'
  const type = (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  // Text may well be meant as JSON.
  const mayBeJson = type === '' || type === 'text/plain' || type.endsWith('/json') || type.endsWith('+json')
  return mayBeJson || beginsAsJson(body) ? 'bodyInvalidJson' : 'bodyTypeUnsupported'
}

/** Bytes that are looked at for the first character that is no white space. */
const lookedAt = 1_024

function beginsAsJson(body: Uint8Array): boolean {
  return /^\uFEFF?\s*[{[]/.test(new TextDecoder().decode(body.subarray(0, lookedAt)))
}

/** Characters of a header that an error shows. */
const shownMax = 100

/** Returns what happened and what to do, for people. */
export function notJsonText(reason: ReasonNotJson, headers: PlainHeaders): string {
  const shown = (name: string): string => JSON.stringify((headers.get(name) ?? '').slice(0, shownMax))
  if (reason === 'bodyEncodingUnsupported')
    return `the body has the content-encoding ${shown('content-encoding')}; send it as gzip, deflate, br, or not encoded`
  if (reason === 'bodyTypeUnsupported')
    return `the body has the content-type ${shown('content-type')} and is not JSON; send an object with content-type application/json`
  return 'the body is not JSON; send an object with content-type application/json'
}
