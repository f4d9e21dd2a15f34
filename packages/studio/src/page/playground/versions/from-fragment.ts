import { type Draft, draftLengthMax, parseDraft } from './draft.ts'

/** Before the draft in the fragment. The number changes when older links can no longer be read. */
const prefix = '#1='

/** Longest fragment that is read, in characters. */
const fragmentLengthMax = 100_000

/** Returns the fragment of an address that holds a draft: compressed, in letters that need no escapes. */
export async function toFragment(draft: Draft): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(draft))
  const packed = await collect(
    stream(bytes).pipeThrough(new CompressionStream('deflate-raw')),
    Number.POSITIVE_INFINITY,
  )
  let text = ''
  for (const byte of packed) text += String.fromCharCode(byte)
  return prefix + btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/**
 * Returns the draft in a fragment. The fragment may come from anybody: it is bounded before and while it is unpacked,
 * and nothing of it runs.
 * @returns undefined when there is none, or it cannot be read.
 */
export async function fromFragment(fragment: string): Promise<Draft | undefined> {
  if (!fragment.startsWith(prefix) || fragment.length > fragmentLengthMax) return undefined
  try {
    const text = atob(fragment.slice(prefix.length).replaceAll('-', '+').replaceAll('_', '/'))
    const packed = Uint8Array.from(text, (letter) => letter.charCodeAt(0))
    const bytes = await collect(stream(packed).pipeThrough(new DecompressionStream('deflate-raw')), draftLengthMax * 6)
    return parseDraft(JSON.parse(new TextDecoder().decode(bytes)))
  } catch {
    return undefined
  }
}

const stream = (bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> => new Blob([bytes]).stream()

/** @throws RangeError as soon as there are more bytes than the maximum. */
async function collect(
  from: ReadableStream<Uint8Array<ArrayBuffer>>,
  bytesMax: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  const reader = from.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    length += value.length
    if (length > bytesMax) {
      await reader.cancel()
      throw new RangeError(`more than ${bytesMax} bytes`)
    }
    parts.push(value)
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer())
}
