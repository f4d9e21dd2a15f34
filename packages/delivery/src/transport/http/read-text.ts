import type { Readable } from 'node:stream'

/** The beginning of a body. */
interface ReadText {
  readonly body: string
  /** Whether the body is longer. */
  readonly isCut?: true
}

/** Reads at most the first `bytesMax` bytes of a body as UTF-8 text. A longer body is destroyed with its connection. */
export async function readText(body: Readable, bytesMax: number): Promise<ReadText> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    bytes += chunk.length
    // Leaving the loop destroys the body and its connection, which stops an endless reply.
    if (bytes > bytesMax) break
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, bytesMax))
  return bytes > bytesMax ? { body: text, isCut: true } : { body: text }
}
