import type { Readable } from 'node:stream'

/** Returns at most the first `bytesMax` bytes of a body as UTF-8 text. A longer body is destroyed with its connection. */
export async function readText(body: Readable, bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    bytes += chunk.length
    // Leaving the loop destroys the body and its connection, which stops an endless reply.
    if (bytes > bytesMax) break
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, bytesMax))
}
