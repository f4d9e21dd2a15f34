import type { Readable } from 'node:stream'
import type { Clock } from '@sluice/core'
import type { DeliveryRequest } from '@sluice/destinations'
import { errorCode } from '../deliver/error-code.ts'
import { sendFailure } from '../deliver/send-failure.ts'
import type { HttpClient, OpenReply } from '../transport/http-client.ts'
import { hostOf } from '../transport/transport.ts'
import { type S3Call, signedCall } from './s3-signature.ts'

export interface S3BucketOptions {
  readonly client: Pick<HttpClient, 'open'>
  readonly clock: Clock
}

/** What went wrong with a bucket, in words that may be shown. */
export class S3Error extends Error {}

/** The objects of a bucket below a prefix. Asks some times before it rejects, with S3Error. */
export interface S3Bucket {
  /** Keys behind `after`, in the order of their bytes; `isLast` says that there are no more. */
  list(after: string, signal: AbortSignal): Promise<{ readonly keys: readonly string[]; readonly isLast: boolean }>
  /** Reads an object from its beginning to wherever `read` ends; undefined when it is gone. */
  get<Result>(
    key: string,
    read: (object: OpenReply) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result | undefined>
  /** Whole or not at all. @returns the headers of the reply. */
  put(
    key: string,
    body: Uint8Array,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<OpenReply['headers']>
}

const attemptsMax = 4
const firstWaitMs = 200
/** For one request, and for reading what it gives. */
const timeMs = 300_000
/** A page has 1,000 keys of 1,024 bytes at most, each of which may be escaped. */
const pageBytesMax = 16 * 1024 * 1024

/** @param place see `KeptLinesRule`: the prefix follows the bucket, ready to stand in a URL. */
export function createS3Bucket(place: DeliveryRequest, { client, clock }: S3BucketOptions): S3Bucket {
  const prefix = decodeURIComponent(new URL(place.endpoint).pathname.slice(1))

  async function call<Result>(
    request: S3Call,
    signal: AbortSignal,
    take: (reply: OpenReply) => Promise<Result>,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      signal.throwIfAborted()
      const tried = await once(request, signal, take)
      if (tried.ok) return tried.result
      signal.throwIfAborted()
      if (!tried.isPassing || attempt === attemptsMax) throw new S3Error(tried.message)
      await clock.sleep(firstWaitMs * 2 ** (attempt - 1), signal)
    }
  }

  async function once<Result>(request: S3Call, signal: AbortSignal, take: (reply: OpenReply) => Promise<Result>) {
    const ending = AbortSignal.any([signal, AbortSignal.timeout(timeMs)])
    try {
      const reply = await client.open(await signedCall(place, request, clock.now()), { signal: ending })
      // Whoever reads it hears of it too; letting go of an unread one is no failure.
      reply.body.on('error', () => {})
      try {
        const { status } = reply
        if ((status >= 200 && status < 300) || (status === 404 && request.method === 'GET'))
          return { ok: true, result: await take(reply) } as const
        const code = /<Code>([A-Za-z0-9]{1,100})<\/Code>/.exec(await textOf(reply.body, 65_536))?.[1] ?? ''
        const isPassing = status >= 500 || status === 429 || passing.has(code)
        return { ok: false, isPassing, message: `${hostOf(place)}: It answered ${status} ${code}`.trim() } as const
      } finally {
        reply.body.destroy()
      }
    } catch (error) {
      if (!isOfNetwork(error)) throw error
      const { kind, message } = sendFailure(error, place)
      return { ok: false, isPassing: kind === 'network', message } as const
    }
  }

  return {
    list: (after, signal) => {
      const query = new URLSearchParams({ 'list-type': '2', 'max-keys': '1000', 'encoding-type': 'url', prefix })
      if (after !== '') query.set('start-after', after)
      // A plus stands for itself in what is signed.
      const path = `?${query.toString().replaceAll('+', '%20')}`
      return call({ method: 'GET', path }, signal, async ({ status, body }) => {
        if (status === 404) throw new S3Error(`${hostOf(place)}: there is no such bucket`)
        return pageOf(await textOf(body, pageBytesMax))
      })
    },
    get: (key, read, signal) =>
      call({ method: 'GET', path: pathOf(key) }, signal, async (reply) =>
        reply.status === 404 ? undefined : read(reply),
      ),
    put: (key, body, headers, signal) =>
      call({ method: 'PUT', path: pathOf(key), headers, body }, signal, async (reply) => {
        await textOf(reply.body, 65_536)
        return reply.headers
      }),
  }
}

/** What S3 asks for again although its status speaks of the request. */
const passing = new Set(['RequestTimeout', 'OperationAborted', 'SlowDown'])

/** Of connections, and of time that ran out. What reads a reply may fail as well, for reasons of its own. */
function isOfNetwork(error: unknown): boolean {
  return /^(?:E[A-Z]+|UND_ERR_\w+|HPE_\w+|TimeoutError|AbortError|ERR_INVALID_URL|ERR_STREAM_PREMATURE_CLOSE)$/.test(
    errorCode(error),
  )
}

/** @throws S3Error for keys that no URL leads to. */
function pathOf(key: string): string {
  const path = `/${key.split('/').map(encodeURIComponent).join('/')}`
  if (new URL(path, 'http://bucket').pathname !== path) throw new S3Error(`no URL leads to the object ${key}`)
  return path
}

/** Source: ListObjectsV2 of the S3 API. */
function pageOf(xml: string): { readonly keys: readonly string[]; readonly isLast: boolean } {
  const isEncoded = /<EncodingType>url<\/EncodingType>/.test(xml)
  const keys = [...xml.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => {
    const text = key.replace(/&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));/g, character)
    return isEncoded ? decodeURIComponent(text.replaceAll('+', ' ')) : text
  })
  return { keys, isLast: !/<IsTruncated>true<\/IsTruncated>/.test(xml) }
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function character(_: string, name: string | undefined, decimal: string | undefined, hex: string | undefined): string {
  if (name !== undefined) return named[name] ?? ''
  return String.fromCodePoint(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal))
}

async function textOf(body: Readable, bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > bytesMax) break
  }
  return Buffer.concat(chunks).toString()
}
