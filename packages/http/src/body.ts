import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

export type BodyResult =
  | { readonly ok: true; readonly text: string }
  | {
      readonly ok: false
      readonly code: 'bodyMissing' | 'bodyTooLarge' | 'bodyAborted' | 'bodyInvalidGzip' | 'unavailable'
    }

const gunzipBounded = promisify(gunzip)

/** Bytes that all bodies being read may take together, so that many slow senders cannot fill the memory. */
export class BodyBudget {
  readonly #bytesMax: number
  #bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** @returns false when there is no room; nothing is taken then. */
  take(bytes: number): boolean {
    if (this.#bytes + bytes > this.#bytesMax) return false
    this.#bytes += bytes
    return true
  }

  giveBack(bytes: number): void {
    this.#bytes -= bytes
  }
}

/**
 * Reads a request body that may be gzip, whatever its headers say: the official Node SDK sends gzip as a form.
 *
 * @param bytesMax limit of the body, decompressed; reading and inflating stop there.
 * @param budget what all bodies under way share; `unavailable` when it is used up.
 * Source: governance facts 4.3 (413 counts the body), library facts 5 (the SDK).
 */
export async function readBody(request: Request, bytesMax: number, budget: BodyBudget): Promise<BodyResult> {
  const announced = Number(request.headers.get('content-length'))
  if (announced > bytesMax) return { ok: false, code: 'bodyTooLarge' }
  if (announced > 0) return readAnnounced(request, announced, bytesMax, budget)
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of request.body ?? []) {
      if (length + chunk.length > bytesMax) return { ok: false, code: 'bodyTooLarge' }
      if (!budget.take(chunk.length)) return { ok: false, code: 'unavailable' }
      length += chunk.length
      chunks.push(chunk)
    }
    if (length === 0) return { ok: false, code: 'bodyMissing' }
    return await toText(Buffer.concat(chunks, length), bytesMax)
  } catch {
    // The sender went away, or was too slow for the server.
    return { ok: false, code: 'bodyAborted' }
  } finally {
    budget.giveBack(length)
  }
}

/** A server reads no more than was announced, and reading it in one piece costs a fraction of reading a stream. */
async function readAnnounced(
  request: Request,
  bytes: number,
  bytesMax: number,
  budget: BodyBudget,
): Promise<BodyResult> {
  if (!budget.take(bytes)) return { ok: false, code: 'unavailable' }
  try {
    const raw = Buffer.from(await request.arrayBuffer())
    if (raw.length > bytesMax) return { ok: false, code: 'bodyTooLarge' }
    return raw.length === 0 ? { ok: false, code: 'bodyMissing' } : await toText(raw, bytesMax)
  } catch {
    return { ok: false, code: 'bodyAborted' }
  } finally {
    budget.giveBack(bytes)
  }
}

async function toText(raw: Buffer, bytesMax: number): Promise<BodyResult> {
  if (raw[0] !== 0x1f || raw[1] !== 0x8b) return { ok: true, text: raw.toString('utf8') }
  try {
    return { ok: true, text: (await gunzipBounded(raw, { maxOutputLength: bytesMax })).toString('utf8') }
  } catch (error) {
    return { ok: false, code: error instanceof RangeError ? 'bodyTooLarge' : 'bodyInvalidGzip' }
  }
}
