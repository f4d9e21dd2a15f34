/** The value, or why it is refused; `detail` says more than the code. */
export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly code: 'bodyInvalidJson'; readonly detail?: string }
  | Excess

type Excess =
  | { readonly ok: false; readonly code: 'bodyTooLarge'; readonly detail: string }
  | { readonly ok: false; readonly code: 'bodyTooDeep'; readonly detail: string }

export interface JsonLimits {
  /** Values, as counted by commas. An object or list counts as four more: it takes that much longer to parse. */
  readonly valuesMax: number
  /** Objects and lists inside each other. */
  readonly depthMax: number
  /** Different names of members, about. Each takes as long to parse as dozens of values whose names are known. */
  readonly keysMax: number
}

/** Extra values that an object or list counts as. */
const bracketValues = 4
/** Bodies up to this length are parsed without a look at them: the worst ones take 30 ms. */
const unseenLength = 64 * 1_024
/** Places for hashes of keys. Keys that share one count once, so that a few more than the limit may pass. */
const keyPlaces = 2 ** 17

/**
 * Parses the bytes of a request body. `JSON.parse` blocks the thread, and needs ten times as long and as much memory
 * for millions of tiny or nested values as for usual events: such bodies are refused by one pass over them.
 */
export function parseJson(bytes: Buffer, limits: JsonLimits): ParsedJson {
  const excess = bytes.length > unseenLength ? excessOf(bytes, limits) : undefined
  if (excess !== undefined) return excess
  try {
    // Some programs write a byte order mark first, which is not JSON.
    const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
    return { ok: true, value: JSON.parse(bytes.toString('utf8', start)) }
  } catch {
    return { ok: false, code: 'bodyInvalidJson' }
  }
}

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
/** Everything up to it may stand between tokens, or is no JSON. */
const space = 0x20
const backslash = 0x5c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** Looks at bytes: in UTF-8, no byte of a longer character equals a bracket, a comma or a quote. */
function excessOf(bytes: Buffer, { valuesMax, depthMax, keysMax }: JsonLimits): Excess | undefined {
  const seen = new Uint8Array(keyPlaces)
  let keys = 0
  let values = 0
  let depth = 0
  for (let i = 0; i < bytes.length; i += 1) {
    const code = bytes[i]
    if (code === quote) {
      // To the quote that ends the string. A loop of its own: most characters of a body are in strings.
      let hash = 0
      for (i += 1; i < bytes.length; i += 1) {
        const inside = bytes[i] as number
        if (inside === quote) break
        hash = (Math.imul(hash, 31) + inside) | 0
        if (inside === backslash) i += 1
      }
      const place = (hash ^ (hash >>> 15)) & (keyPlaces - 1)
      let next = i + 1
      while ((bytes[next] ?? colon) <= space) next += 1
      if (bytes[next] !== colon || seen[place] === 1) continue
      seen[place] = 1
      keys += 1
      if (keys > keysMax)
        return {
          ok: false,
          code: 'bodyTooLarge',
          detail: `more than ${keysMax} different names of members; send it in parts`,
        }
    } else if (code === comma) values += 1
    else if (code === openBrace || code === openBracket) {
      values += bracketValues
      depth += 1
      if (depth > depthMax) return { ok: false, code: 'bodyTooDeep', detail: `nested deeper than ${depthMax} levels` }
    } else if (code === closeBrace || code === closeBracket) depth -= 1
  }
  if (values <= valuesMax) return undefined
  return { ok: false, code: 'bodyTooLarge', detail: `more than ${valuesMax} values; send them in parts` }
}
