import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { S3Bucket } from '@sluice/delivery'
import type { LakeFiles } from './lake-files.ts'

/** Bytes of a small file. */
const textBytesMax = 16 * 1024 * 1024

/**
 * The files of a data lake in a bucket.
 * @param bucketOf opens the bucket below a prefix. @param prefix of all keys: empty, or ending with a slash.
 */
export function createBucketFiles(
  bucketOf: (prefix: string) => S3Bucket,
  prefix: string,
  place: string,
  signal: AbortSignal,
): LakeFiles {
  const bucket = bucketOf(prefix)
  const keyOf = (path: string): string => prefix + path
  return {
    place,
    read: (path) =>
      bucket.get(
        keyOf(path),
        async ({ body }) => {
          const chunks: Buffer[] = []
          let bytes = 0
          for await (const chunk of body) {
            bytes += (chunk as Buffer).length
            if (bytes > textBytesMax) throw new Error(`${place}/${path} is larger than ${textBytesMax} bytes.`)
            chunks.push(chunk as Buffer)
          }
          return Buffer.concat(chunks).toString()
        },
        signal,
      ),
    async write(path, text) {
      await bucket.put(keyOf(path), Buffer.from(text), { 'content-type': 'application/json' }, signal)
    },
    async create(path, text) {
      // First, for servers that do not know the condition.
      if ((await bucket.get(keyOf(path), async () => true, signal)) === true) return false
      return bucket.create(keyOf(path), Buffer.from(text), signal)
    },
    async put(path, localFile) {
      const headers = { 'content-type': 'application/vnd.apache.parquet' }
      return keepsVersions(await bucket.put(keyOf(path), await readFile(localFile), headers, signal))
    },
    async get(path, localFile) {
      const found = await bucket.get(
        keyOf(path),
        async ({ body }) => {
          await pipeline(body, createWriteStream(localFile, { mode: 0o600 }))
          return true
        },
        signal,
      )
      return found ?? false
    },
    remove: async (path) => keepsVersions(await bucket.delete(keyOf(path), signal)),
    async list(folder) {
      const below = bucketOf(keyOf(folder === '' ? '' : `${folder}/`))
      const keys: string[] = []
      for (let after = '', isLast = false; !isLast; ) {
        const page = await below.list(after, signal)
        keys.push(...page.keys)
        isLast = page.isLast || page.keys.length === 0
        after = page.keys.at(-1) ?? after
      }
      return keys.map((key) => key.slice(prefix.length))
    },
  }
}

/** Whether a bucket keeps what an object was before, by the headers of its reply. */
function keepsVersions({ 'x-amz-version-id': version = 'null' }: Awaited<ReturnType<S3Bucket['put']>>): boolean {
  return version !== 'null'
}
