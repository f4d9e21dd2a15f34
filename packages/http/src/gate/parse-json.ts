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
}

/** Extra values that an object or list counts as. */
const bracketValues = 4
/** Texts up to this length are parsed without a look at them: the worst ones take a few milliseconds. */
const unseenLength = 64 * 1_024

/**
 * Parses the text of a request body. `JSON.parse` blocks the thread, and needs ten times as long and as much memory
 * for millions of tiny or nested values as for usual events: such texts are refused by one pass over them.
 */
export function parseJson(text: string, limits: JsonLimits): ParsedJson {
  const excess = text.length > unseenLength ? excessOf(text, limits) : undefined
  if (excess !== undefined) return excess
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch {
    return { ok: false, code: 'bodyInvalidJson' }
  }
}

const quote = 0x22
const comma = 0x2c
const backslash = 0x5c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

function excessOf(text: string, { valuesMax, depthMax }: JsonLimits): Excess | undefined {
  let values = 0
  let depth = 0
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    if (code === quote) i = endOfString(text, i)
    else if (code === openBracket || code === openBrace) {
      values += bracketValues
      depth += 1
      if (depth > depthMax) return { ok: false, code: 'bodyTooDeep', detail: `nested deeper than ${depthMax} levels` }
    } else if (code === closeBracket || code === closeBrace) depth -= 1
    else if (code === comma) values += 1
    if (values > valuesMax)
      return { ok: false, code: 'bodyTooLarge', detail: `more than ${valuesMax} values; send them in parts` }
  }
  return undefined
}

/** Returns the index of the quote that ends a string, or the length of a text that ends before. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes += 1
    if (slashes % 2 === 0) return end
  }
  return text.length
}
