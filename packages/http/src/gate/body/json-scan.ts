export interface JsonLimits {
  /** Values, as counted by commas. An object or list counts as four more: it takes that much longer to parse. */
  readonly valuesMax: number
  /** Objects and lists inside each other. */
  readonly depthMax: number
  /**
   * Different names of members, about, in the body, or in an element of a list that is parsed in parts. Each takes as long to
   * parse as dozens of values whose names are known.
   */
  readonly keysMax: number
}

export type Excess =
  | { readonly ok: false; readonly code: 'bodyTooLarge'; readonly detail: string }
  | { readonly ok: false; readonly code: 'bodyTooDeep'; readonly detail: string }

/** The list with the events of a body: the only list that is a member of the body itself. */
export interface MainList {
  /** Places of its brackets. */
  readonly from: number
  readonly to: number
  /** Places of commas between its elements: the list may be parsed in these parts. */
  readonly cuts: readonly number[]
}

interface JsonScan {
  readonly excess?: Excess
  readonly list?: MainList
}

/** Extra values that an object or list counts as. */
const bracketValues = 4
/** Places for hashes of names. Names that share one count once, so that a few more than the limit may pass. */
const keyPlaces = 2 ** 17
/** From so many bytes, or different names, the next element of the list begins a new part: some milliseconds to parse. */
const bytesPerPart = 256 * 1_024
const keysPerPart = 2_000

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

/**
 * Looks through JSON without parsing it: whether it is within limits, and where it can be cut. Looks at bytes: in UTF-8, no
 * byte of a longer character equals a bracket, a comma or a quote. Text that is not JSON may pass.
 * @param inParts whether the body may be parsed in parts: then `keysMax` holds for each element.
 */
export function scanJson(bytes: Buffer, { valuesMax, depthMax, keysMax }: JsonLimits, inParts: boolean): JsonScan {
  const seen = new Uint8Array(keyPlaces)
  const cuts: number[] = []
  let from = -1
  let to = -1
  let isOneList = inParts
  let keys = 0
  let keysBefore = 0
  let keysOfAll = 0
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
      keysOfAll += 1
      if (keys - keysBefore > keysMax) return { excess: tooManyNames(keysMax) }
    } else if (code === comma) {
      values += 1
      if (depth !== 2 || from === -1 || to !== -1) continue
      keysBefore = keys
      if (keys < keysPerPart && i - (cuts.at(-1) ?? from) < bytesPerPart) continue
      cuts.push(i)
      keysBefore = 0
      keys = 0
      seen.fill(0)
    } else if (code === openBrace || code === openBracket) {
      values += bracketValues
      depth += 1
      if (depth > depthMax)
        return { excess: { ok: false, code: 'bodyTooDeep', detail: `nested deeper than ${depthMax} levels` } }
      if (depth !== 2 || code !== openBracket) continue
      if (from === -1 && isOneList) {
        from = i
        keysBefore = keys
      } else isOneList = false
    } else if (code === closeBrace || code === closeBracket) {
      if (depth === 2 && from !== -1 && to === -1) {
        to = i
        if (code !== closeBracket) isOneList = false
      }
      depth -= 1
    }
  }
  if (values > valuesMax)
    return {
      excess: { ok: false, code: 'bodyTooLarge', detail: `more than ${valuesMax} values; send them in parts` },
    }
  if (isOneList && to !== -1 && cuts.length > 0) return { list: { from, to, cuts } }
  return keysOfAll > keysMax ? { excess: tooManyNames(keysMax) } : {}
}

function tooManyNames(keysMax: number): Excess {
  return {
    ok: false,
    code: 'bodyTooLarge',
    detail: `more than ${keysMax} different names of members; send it in parts`,
  }
}
