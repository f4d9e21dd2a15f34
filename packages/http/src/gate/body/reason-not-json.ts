import type { PlainHeaders } from '../plain-request.ts'

/** Why a body cannot be parsed as JSON. */
type ReasonNotJson = 'bodyInvalidJson' | 'bodyTypeUnsupported' | 'bodyEncodingUnsupported'

/** Encodings that are decoded, and those that change nothing. */
const knownEncodings = new Set(['', 'identity', 'gzip', 'x-gzip', 'deflate', 'br'])

/**
 * Returns why a body that is not JSON is refused. Headers are only looked at then, because senders mislabel JSON:
 * `fetch` sends text as text/plain, curl as a form, and beacons in browsers cannot choose. So a body that begins like a JSON
 * object or list is malformed JSON, whatever its type.
 */
export function reasonNotJson(headers: PlainHeaders, body: Uint8Array): ReasonNotJson {
  if (!knownEncodings.has((headers.get('content-encoding') ?? '').trim().toLowerCase()))
    return 'bodyEncodingUnsupported'
  const type = (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  // Text may well be meant as JSON.
  const mayBeJson =
    type === '' || type === 'text/plain' || type.endsWith('/json') || type.endsWith('+json') || beginsLikeJson(body)
  return mayBeJson ? 'bodyInvalidJson' : 'bodyTypeUnsupported'
}

/** Whether the first character that is no white space opens an object or a list. */
function beginsLikeJson(body: Uint8Array): boolean {
  const whiteSpace = [0x20, 0x09, 0x0a, 0x0d]
  const first = body.find((byte) => !whiteSpace.includes(byte))
  return first === 0x7b || first === 0x5b
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
