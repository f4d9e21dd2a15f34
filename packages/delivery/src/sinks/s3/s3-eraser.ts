import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { createKeyedQueue } from '@sluice/core'
import { Slots } from '@sluice/core/slots'
import type { CountLines, EraseLines, LineErasure, LinesErased } from '../../transport/erasure/line-erasure.ts'
import { errorCode } from '../../transport/error-code.ts'
import type { OpenReply } from '../../transport/http/http-client.ts'
import { createLineFilter, type LineFilter, LineTooLongError } from '../files/line-filter.ts'
import { createS3Bucket, type S3Bucket, type S3BucketOptions, S3Error } from './s3-bucket.ts'

/** Objects processed at the same time, and objects between two marks. */
const objectsAtOnce = 4
const objectsPerMark = 64
/** Limit of a rewritten object, which is kept in memory, compressed. */
const objectBytesMax = 64 * 1024 * 1024

/**
 * Creates the function that removes lines from objects whose keys end in `.json.gz`. Objects without such lines are
 * read once and not written. Others are read again and replaced as a whole. The mark is a key: objects up to it are
 * done. Newer objects cannot contain suppressed users, so those before the mark need no second pass.
 */
export function createS3Eraser(options: S3BucketOptions): EraseLines {
  const queue = createKeyedQueue()
  return async (erasure) => {
    const { origin } = erasure.place.params
    const bucket = createS3Bucket(erasure.place, options)
    // Two concurrent rewrites of one object would each restore the lines that the other removed.
    const name = `${origin} ${new URL(erasure.place.endpoint).host}`
    return queue.run(name, () => eraseObjects(bucket, erasure))
  }
}

async function eraseObjects(bucket: S3Bucket, erasure: LineErasure): Promise<LinesErased> {
  const { users, reached, signal } = erasure
  const unreadable: string[] = []
  /** Objects with older versions, by user. */
  const versions = new Map<string, number>()
  let after = [...users.values()].reduce((a, b) => (isBehind(a, b) ? b : a))

  const eraseObject = async (key: string): Promise<void> => {
    try {
      const rewritten = await rewrite(bucket, key, erasure)
      if (rewritten === 'gone') unreadable.push(`${key} (not found)`)
      else for (const user of rewritten) versions.set(user, (versions.get(user) ?? 0) + 1)
    } catch (error) {
      if (!isOfContent(error)) throw error
      unreadable.push(`${key} (${errorCode(error)})`)
    }
  }
  try {
    for (let isLast = false; !isLast; ) {
      const page = await bucket.list(after, signal)
      const [first] = page.keys
      if (first !== undefined && !isBehind(first, after))
        return { status: 'aborted', reason: 'the server does not list objects in the order of their keys' }
      const keys = page.keys.filter((key) => key.endsWith('.json.gz'))
      for (let start = 0; start < keys.length; start += objectsPerMark) {
        const some = keys.slice(start, start + objectsPerMark)
        const slots = new Slots(objectsAtOnce)
        await Promise.all(some.map((key) => slots.run(() => eraseObject(key))))
        // Unreadable objects are tried again by the next attempt.
        const last = some.at(-1)
        if (unreadable.length === 0 && last !== undefined) await reached(last)
      }
      after = page.keys.at(-1) ?? after
      isLast = page.isLast || page.keys.length === 0
    }
  } catch (error) {
    if (!(error instanceof S3Error)) throw error
    return { status: 'failed', reason: error.message }
  }
  const [one] = unreadable
  if (one !== undefined)
    return {
      status: 'failed',
      reason: `${unreadable.length} objects cannot be read as gzipped lines, beginning with ${one}`,
    }
  const notes = [...versions].map(
    ([user, count]) => [user, `the bucket keeps older versions: remove those of ${count} rewritten objects`] as const,
  )
  return { status: 'complete', notes: notes.length > 0 ? new Map(notes) : undefined }
}

/**
 * Rewrites one object. A listed object may not be found: deleted meanwhile, or its key was listed wrongly.
 * @returns the users with lines in an older version that the bucket keeps.
 */
async function rewrite(
  bucket: S3Bucket,
  key: string,
  { users, userIdAt, signal }: LineErasure,
): Promise<'gone' | ReadonlySet<string>> {
  const wanted = new Set([...users].filter(([, mark]) => isBehind(key, mark)).map(([userId]) => userId))
  const filter = createLineFilter(wanted, userIdAt)
  const found = await bucket.get(key, ({ body }) => filter.finds(unzipped(body)), signal)
  if (found === undefined) return 'gone'
  if (!found) return new Set()
  const remade = await bucket.get(key, async (object) => ({ object, body: await without(filter, object) }), signal)
  if (remade === undefined) return 'gone'
  const { 'x-amz-version-id': version = 'null' } = await bucket.put(key, remade.body, kept(remade.object), signal)
  return version === 'null' ? new Set() : filter.removed
}

/** Creates the function that counts lines in objects whose keys end in `.json.gz`. */
export function createS3Search(options: S3BucketOptions): CountLines {
  return async ({ place, userIdAt, userIds, signal }) => {
    const bucket = createS3Bucket(place, options)
    const filter = createLineFilter(userIds, userIdAt)
    let count = 0
    try {
      for (let after = '', isLast = false; !isLast; ) {
        const page = await bucket.list(after, signal)
        const slots = new Slots(objectsAtOnce)
        const keys = page.keys.filter((key) => key.endsWith('.json.gz'))
        const counts = keys.map((key) => slots.run(() => countIn(bucket, key, filter, signal)))
        for (const found of await Promise.all(counts)) count += found
        after = page.keys.at(-1) ?? after
        isLast = page.isLast || page.keys.length === 0
      }
      return { ok: true, count }
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof S3Error) return { ok: false, reason: error.message }
      throw error
    }
  }
}

/** @throws S3Error for an object that cannot be read. */
async function countIn(bucket: S3Bucket, key: string, filter: LineFilter, signal: AbortSignal): Promise<number> {
  try {
    // Deleted meanwhile: then it has no lines.
    return (await bucket.get(key, ({ body }) => filter.count(unzipped(body)), signal)) ?? 0
  } catch (error) {
    if (!isOfContent(error)) throw error
    throw new S3Error(`the object ${key} cannot be read as gzipped lines (${errorCode(error)})`)
  }
}

/** Unzips a body. An error of the body destroys the unzipped stream. */
function unzipped(body: Readable): Readable {
  const gunzip = createGunzip()
  body.on('error', (error) => gunzip.destroy(error))
  return body.pipe(gunzip)
}

async function without(filter: LineFilter, { body }: OpenReply): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  await pipeline(Readable.from(filter.without(unzipped(body))), createGzip(), async (zipped) => {
    for await (const chunk of zipped) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > objectBytesMax) throw new LineTooLongError(`it has more than ${objectBytesMax} bytes`)
    }
  })
  return Buffer.concat(chunks)
}

/** Returns the headers of an object that a rewrite must keep. */
function kept({ headers }: OpenReply): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) =>
        /^(?:content-(?:type|encoding|disposition|language)|cache-control)$/.test(name) ||
        /^x-amz-(?:meta-.+|storage-class|server-side-encryption|server-side-encryption-aws-kms-key-id)$/.test(name),
    ),
  )
}

/** Returns whether an error is of the content of an object, not of the connection. */
function isOfContent(error: unknown): boolean {
  return error instanceof LineTooLongError || /^Z_/.test(errorCode(error))
}

/** Compares keys in byte order, like a bucket. */
function isBehind(key: string, other: string): boolean {
  return Buffer.compare(Buffer.from(key), Buffer.from(other)) > 0
}
