import { createGunzip } from 'node:zlib'
import type { OpenBody } from './body-budget.ts'
import { readSource } from './body-source.ts'

export type BodyResult =
  | { readonly ok: true; readonly text: string }
  | {
      readonly ok: false
      readonly code: 'bodyMissing' | 'bodyTooLarge' | 'bodyTooSlow' | 'bodyAborted' | 'bodyInvalidGzip' | 'unavailable'
      /** Why, where the code does not say it. */
      readonly detail?: string
    }

export interface BodyLimits {
  /** Of the body, decompressed; reading and inflating stop there. */
  readonly bytesMax: number
  /** How long a body may take at any rate; then it has to have come with `bytesPerSecondMin`. */
  readonly graceMs: number
  readonly bytesPerSecondMin: number
}

/** A phone with a bad connection sends 4 KiB a second; a slower client holds a place for nothing. */
export const defaultPace = { graceMs: 10_000, bytesPerSecondMin: 4 * 1_024 }

type Problem = Extract<BodyResult, { ok: false }>
type Read = { readonly ok: true; readonly bytes: Buffer } | Problem

const problem = (code: Problem['code']): Problem => ({ ok: false, code })

/**
 * Reads a request body that may be gzip, whatever its headers say: the official Node SDK of RudderStack sends gzip as a form.
 * @param body pays for the bytes as they arrive, inflated ones too; it is closed at the end.
 * @param env of Node's server adapter.
 */
export async function readBody(
  request: Request,
  env: unknown,
  limits: BodyLimits,
  body: OpenBody,
): Promise<BodyResult> {
  try {
    if (Number(request.headers.get('content-length')) > limits.bytesMax) return problem('bodyTooLarge')
    const raw = await readBytes(request, env, limits, body)
    if (!raw.ok) return raw
    const isGzip = raw.bytes[0] === 0x1f && raw.bytes[1] === 0x8b
    const plain = isGzip ? await inflate(raw.bytes, limits, body) : raw
    return plain.ok ? { ok: true, text: plain.bytes.toString('utf8') } : plain
  } finally {
    body.close()
  }
}

function readBytes(request: Request, env: unknown, limits: BodyLimits, body: OpenBody): Promise<Read> {
  return new Promise((resolve) => {
    const { bytesMax, graceMs, bytesPerSecondMin } = limits
    const startedAt = performance.now()
    const chunks: Uint8Array[] = []
    let length = 0
    const done = (result: Read): void => {
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
    const stop = readSource(request, env, {
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

/** Events alike inflate to some fifty times their gzip; a thousand times is the most that gzip can do. */
const inflationMax = 200
/** So much is inflated from however little. */
const inflatedFreeBytes = 64 * 1_024
const inflatesTooMuch = `gzip inflates to more than ${inflationMax} times its size; send it uncompressed`
const inflateChunkBytes = 64 * 1_024

async function inflate(raw: Buffer, { bytesMax }: BodyLimits, body: OpenBody): Promise<Read> {
  const max = Math.min(bytesMax, Math.max(inflatedFreeBytes, raw.length * inflationMax))
  const chunks: Buffer[] = []
  let length = 0
  try {
    const gunzip = createGunzip({ chunkSize: inflateChunkBytes })
    gunzip.end(raw)
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > bytesMax) return problem('bodyTooLarge')
      if (length > max) return { ...problem('bodyTooLarge'), detail: inflatesTooMuch }
      if (!body.take(chunk.length)) return problem('unavailable')
      chunks.push(chunk)
    }
    return { ok: true, bytes: Buffer.concat(chunks, length) }
  } catch {
    return problem('bodyInvalidGzip')
  }
}
