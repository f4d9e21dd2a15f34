import { type Backoff, type Clock, doublingMs } from '@sluice/core'
import type { DeliveryRequest } from '@sluice/destinations'
import { errorCode } from '../../transport/error-code.ts'
import type { HttpClient, OpenReply } from '../../transport/http/http-client.ts'
import { readText } from '../../transport/http/read-text.ts'
import { sendFailure } from '../../transport/send-failure.ts'
import { hostOf } from '../../transport/transport.ts'
import { type S3Call, signedS3Call } from './signed-s3-call.ts'

export interface S3BucketOptions {
  readonly client: Pick<HttpClient, 'open'>
  readonly clock: Clock
}

/** Failure of a bucket, with a message that may be shown. */
export class S3Error extends Error {}

/** The objects of a bucket below a prefix. Methods retry temporary failures, then reject with S3Error. */
export interface S3Bucket {
  /** Lists keys after `after`, in byte order. `isLast` is true when there are no more. */
  list(after: string, signal: AbortSignal): Promise<{ readonly keys: readonly string[]; readonly isLast: boolean }>
  /** Reads an object with `read`, which may stop early. Returns undefined when the object does not exist. */
  get<Result>(
    key: string,
    read: (object: OpenReply) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result | undefined>
  /** Writes an object atomically. @returns the headers of the reply. */
  put(
    key: string,
    body: Uint8Array,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<OpenReply['headers']>
  /**
   * Writes an object that does not exist yet. @returns false when it exists, on servers that know `If-None-Match`.
   */
  create(key: string, body: Uint8Array, signal: AbortSignal): Promise<boolean>
  /** Deletes an object, if it exists. @returns the headers of the reply. */
  delete(key: string, signal: AbortSignal): Promise<OpenReply['headers']>
}

const attemptsMax = 4
const waits: Backoff = { baseMs: 200, capMs: 10_000 }
/** Time limit of one request, including reading its reply. */
const timeMs = 300_000
/** Limit of replies that are not pages: errors and replies to `put`. */
const replyBytesMax = 65_536
/** Limit of a page. It has at most 1,000 keys of 1,024 bytes, and each byte may be escaped. */
const pageBytesMax = 16 * 1024 * 1024

/** @param place see `KeptLinesRule`: the prefix follows the bucket, URL-encoded. */
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
      await clock.sleep(doublingMs(attempt, waits), signal)
    }
  }

  async function once<Result>(request: S3Call, signal: AbortSignal, take: (reply: OpenReply) => Promise<Result>) {
    const ending = AbortSignal.any([signal, AbortSignal.timeout(timeMs)])
    try {
      const reply = await client.open(await signedS3Call(place, request, clock.now()), { signal: ending })
      // A reader of the body gets the error too. Destroying an unread body is not a failure.
      reply.body.on('error', () => {})
      try {
        const { status } = reply
        if ((status >= 200 && status < 300) || isExpected(status, request))
          return { ok: true, result: await take(reply) } as const
        const code =
          /<Code>([A-Za-z0-9]{1,100})<\/Code>/.exec((await readText(reply.body, replyBytesMax)).body)?.[1] ?? ''
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
      // The signature treats a plus as a plus, not as a space.
      const path = `?${query.toString().replaceAll('+', '%20')}`
      return call({ method: 'GET', path }, signal, async ({ status, body }) => {
        if (status === 404) throw new S3Error(`${hostOf(place)}: there is no such bucket`)
        return pageOf((await readText(body, pageBytesMax)).body)
      })
    },
    get: (key, read, signal) =>
      call({ method: 'GET', path: pathOf(key) }, signal, async (reply) =>
        reply.status === 404 ? undefined : read(reply),
      ),
    put: (key, body, headers, signal) =>
      call({ method: 'PUT', path: pathOf(key), headers, body }, signal, async (reply) => {
        await readText(reply.body, replyBytesMax)
        return reply.headers
      }),
    create: (key, body, signal) =>
      call({ method: 'PUT', path: pathOf(key), headers: { 'if-none-match': '*' }, body }, signal, async (reply) => {
        await readText(reply.body, replyBytesMax)
        return reply.status !== 412
      }),
    delete: (key, signal) =>
      call({ method: 'DELETE', path: pathOf(key) }, signal, async (reply) => {
        await readText(reply.body, replyBytesMax)
        return reply.headers
      }),
  }
}

/** Whether a status that is no success is an answer: the object is not there, or is there already. */
function isExpected(status: number, { method, headers }: S3Call): boolean {
  if (status === 404) return method === 'GET' || method === 'DELETE'
  return status === 412 && headers?.['if-none-match'] !== undefined
}

/** Error codes that are temporary although their status is 4xx. */
const passing = new Set(['RequestTimeout', 'OperationAborted', 'SlowDown'])

/** Returns whether an error is of the connection or a timeout, and not of the function that reads the reply. */
function isOfNetwork(error: unknown): boolean {
  return /^(?:E[A-Z]+|UND_ERR_\w+|HPE_\w+|TimeoutError|AbortError|ERR_INVALID_URL|ERR_STREAM_PREMATURE_CLOSE)$/.test(
    errorCode(error),
  )
}

/** Returns the path of a key. @throws S3Error for keys that no URL can address. */
function pathOf(key: string): string {
  const path = `/${key.split('/').map(encodeURIComponent).join('/')}`
  if (new URL(path, 'http://bucket').pathname !== path) throw new S3Error(`no URL can address the object ${key}`)
  return path
}

/** Parses a page of keys. Source: ListObjectsV2 of the S3 API. */
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
