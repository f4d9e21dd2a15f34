import type { PlainRequest } from '../plain-request.ts'
import type { OpenBody } from './body-budget.ts'
import { readBodyChunks } from './body-chunks.ts'
import { type ContentDecoder, decoderOf } from './content-decoder.ts'

export type BodyResult =
  | { readonly ok: true; readonly bytes: Buffer }
  | {
      readonly ok: false
      readonly code:
        | 'bodyMissing'
        | 'bodyTooLarge'
        | 'bodyTooSlow'
        | 'bodyAborted'
        | 'bodyInvalidGzip'
        | 'bodyInvalidEncoding'
        | 'unavailable'
      /** Reason, when the code alone does not explain it. */
      readonly detail?: string
    }

export interface BodyLimits {
  /** Maximum size, decompressed. Reading and inflating stop there. */
  readonly bytesMax: number
  /** Time after which the body must have arrived at `bytesPerSecondMin` on average. */
  readonly graceMs: number
  readonly bytesPerSecondMin: number
}

/** A phone with a bad connection still sends 4 KiB per second; slower clients only occupy memory. */
export const defaultPace = { graceMs: 10_000, bytesPerSecondMin: 4 * 1_024 }

type Problem = Extract<BodyResult, { ok: false }>

const problem = (code: Problem['code']): Problem => ({ ok: false, code })

/**
 * Reads a request body, and decodes gzip, deflate and br. Gzip is detected by its first bytes, not by headers:
 * RudderStack's Node SDK declares its gzip as a form.
 *
 * @param body reserves memory for the bytes as they arrive, also for inflated ones. The caller closes it when it needs
 *   the bytes no longer.
 * @param env context of Node's server adapter.
 */
export async function readBody(
  request: Omit<PlainRequest, 'url'>,
  env: unknown,
  limits: BodyLimits,
  body: OpenBody,
): Promise<BodyResult> {
  if (Number(request.headers.get('content-length')) > limits.bytesMax) return problem('bodyTooLarge')
  const raw = await readBytes(request, env, limits, body)
  if (!raw.ok) return raw
  const decoder = decoderOf(raw.bytes, request.headers.get('content-encoding'))
  return decoder ? inflate(raw.bytes, decoder, limits, body) : raw
}

function readBytes(
  request: Pick<PlainRequest, 'body'>,
  env: unknown,
  limits: BodyLimits,
  body: OpenBody,
): Promise<BodyResult> {
  return new Promise((resolve) => {
    const { bytesMax, graceMs, bytesPerSecondMin } = limits
    const startedAt = performance.now()
    const chunks: Uint8Array[] = []
    let length = 0
    const done = (result: BodyResult): void => {
      clearTimeout(timer)
      stop()
      resolve(result)
    }
    const look = (): void => {
      const leftMs = graceMs + (length / bytesPerSecondMin) * 1_000 - (performance.now() - startedAt)
      if (leftMs <= 0) done(problem('bodyTooSlow'))
      else timer = setTimeout(look, Math.ceil(leftMs))
    }
    let timer = setTimeout(look, graceMs)
    body.onCut = () => done(problem('unavailable'))
    const stop = readBodyChunks(request, env, {
      onChunk: (chunk) => {
        length += chunk.length
        if (length > bytesMax) done(problem('bodyTooLarge'))
        else if (body.take(chunk.length)) chunks.push(chunk)
        else done(problem('unavailable'))
      },
      onEnd: () => done(length === 0 ? problem('bodyMissing') : { ok: true, bytes: Buffer.concat(chunks, length) }),
      onFail: () => done(problem('bodyAborted')),
    })
  })
}

/** Similar events compress to about 1/50 of their size. The maximum of gzip is about 1/1,000, that of br far more. */
const inflationMax = 200
/** Output up to this size is always allowed, whatever the ratio. */
const inflatedFreeBytes = 64 * 1_024

async function inflate(
  raw: Buffer,
  { name, create }: ContentDecoder,
  { bytesMax }: BodyLimits,
  body: OpenBody,
): Promise<BodyResult> {
  const max = Math.min(bytesMax, Math.max(inflatedFreeBytes, raw.length * inflationMax))
  const chunks: Buffer[] = []
  let length = 0
  try {
    const decoding = create()
    decoding.end(raw)
    for await (const chunk of decoding as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > bytesMax) return problem('bodyTooLarge')
      if (length > max)
        return {
          ...problem('bodyTooLarge'),
          detail: `${name} inflates to more than ${inflationMax} times its size; send it uncompressed`,
        }
      if (!body.take(chunk.length)) return problem('unavailable')
      chunks.push(chunk)
    }
    return { ok: true, bytes: Buffer.concat(chunks, length) }
  } catch {
    return problem(name === 'gzip' ? 'bodyInvalidGzip' : 'bodyInvalidEncoding')
  }
}
