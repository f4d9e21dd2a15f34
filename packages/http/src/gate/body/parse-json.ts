import { type Excess, type JsonLimits, type MainList, scanJson } from './json-scan.ts'

/** The value, or why it is refused; `detail` says more than the code. */
export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly code: 'bodyInvalidJson'; readonly detail?: string }
  | Excess

/** Bodies up to this length are parsed without a look at them: the worst ones take 30 ms. */
const unseenLength = 64 * 1_024

/**
 * Parses the bytes of a request body. `JSON.parse` blocks the thread, and needs ten times as long and as much memory
 * for millions of tiny or nested values as for usual events: such bodies are refused by one pass over them.
 */
export function parseJson(bytes: Buffer, limits: JsonLimits): ParsedJson {
  const excess = bytes.length > unseenLength ? scanJson(bytes, limits, false).excess : undefined
  return excess ?? parsed(() => parseText(bytes))
}

/**
 * Parses a request body that carries a list of events in parts of some milliseconds: others have their turn whenever it
 * yields. The value is the same as that of `parseJson`, with a limit on names for each element instead of for the body.
 */
export function* parseJsonInParts(bytes: Buffer, limits: JsonLimits): Generator<undefined, ParsedJson> {
  if (bytes.length <= unseenLength) return parseJson(bytes, limits)
  const { excess, list } = scanJson(bytes, limits, true)
  if (excess !== undefined) return excess
  yield
  if (list === undefined) return parsed(() => parseText(bytes))
  const elements: unknown[] = []
  for (const [from, to] of partsOf(list)) {
    const part = parsed(() => JSON.parse(`[${bytes.toString('utf8', from, to)}]`))
    // There is an element on each side of a comma.
    if (!part.ok || !isFilled(part.value)) return invalid
    for (const element of part.value) elements.push(element)
    yield
  }
  const around = Buffer.concat([bytes.subarray(0, list.from + 1), bytes.subarray(list.to)])
  const body = parsed(() => parseText(around))
  if (body.ok) fill(body.value, elements)
  return body
}

const invalid: ParsedJson = { ok: false, code: 'bodyInvalidJson' }

function parsed(parse: () => unknown): ParsedJson {
  try {
    return { ok: true, value: parse() }
  } catch {
    return invalid
  }
}

function parseText(bytes: Buffer): unknown {
  // Some programs write a byte order mark first, which is not JSON.
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  return JSON.parse(bytes.toString('utf8', start))
}

function* partsOf({ from, to, cuts }: MainList): Generator<readonly [from: number, to: number]> {
  let start = from + 1
  for (const cut of cuts) {
    yield [start, cut]
    start = cut + 1
  }
  yield [start, to]
}

function isFilled(list: unknown): list is readonly unknown[] {
  return Array.isArray(list) && list.length > 0
}

/** Puts the elements into the list, which was left empty. There is none when a later member of the same name replaced it. */
function fill(body: unknown, elements: readonly unknown[]): void {
  const list = Object.values(body as object).find(Array.isArray)
  if (list !== undefined) for (const element of elements) list.push(element)
}
