import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { gunzipSync } from 'node:zlib'
import S3rver, { type S3Context } from '@20minutes/s3rver'

export interface S3Server {
  readonly origin: string
  /** Where it keeps its objects. */
  readonly folder: string
  /** The lines of every object of a bucket, by key. */
  objects(bucket: string): Readonly<Record<string, readonly string[]>>
  /** Puts an object directly into the folder, without the API. */
  put(bucket: string, key: string, body: Uint8Array, headers?: Readonly<Record<string, string>>): void
  read(bucket: string, key: string): { readonly body: Uint8Array; readonly headers: Readonly<Record<string, string>> }
  close(): Promise<void>
}

/** The only access key the server knows. */
export const accessKey = { accessKeyID: 'S3RVER', accessKey: 'S3RVER' }

/** An S3-compatible server, which checks signatures and keeps objects in a folder until it is closed. */
export async function startS3Server(buckets: readonly string[], port = 0): Promise<S3Server> {
  const directory = mkdtempSync(join(tmpdir(), 'sluice-s3-'))
  const server = new S3rver({
    address: '127.0.0.1',
    port,
    silent: true,
    directory,
    configureBuckets: buckets.map((name) => ({ name })),
  })
  const hasObject = (path: string): boolean => existsSync(`${join(directory, decodeURIComponent(path))}._S3rver_object`)
  server.middleware.unshift(atomic(hasObject))
  const { port: bound } = await server.run()
  return {
    origin: `http://127.0.0.1:${bound}`,
    folder: directory,
    objects(bucket) {
      const folder = join(directory, bucket)
      const suffix = '._S3rver_object'
      const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith(suffix))
      return Object.fromEntries(
        paths.toSorted().map((path) => {
          const text = gunzipSync(readFileSync(join(folder, path))).toString()
          return [relative('', path).slice(0, -suffix.length), text.split('\n').slice(0, -1)]
        }),
      )
    },
    put(bucket, key, body, headers = {}) {
      const path = join(directory, bucket, key)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(`${path}._S3rver_object`, body)
      rmSync(`${path}._S3rver_object.md5`, { force: true })
      writeFileSync(`${path}._S3rver_metadata.json`, JSON.stringify(headers))
    },
    read(bucket, key) {
      const path = join(directory, bucket, key)
      const headers = JSON.parse(readFileSync(`${path}._S3rver_metadata.json`, 'utf8'))
      return { body: readFileSync(`${path}._S3rver_object`), headers }
    },
    async close() {
      await server.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/**
 * What the server lacks of S3: an object is never read while half of it is replaced, and with `If-None-Match` only one
 * of several writers creates it. Requests are handled one at a time.
 */
function atomic(hasObject: (path: string) => boolean) {
  let last: Promise<unknown> = Promise.resolve()
  return (context: S3Context, next: () => Promise<void>): Promise<void> => {
    const handled = last.then(async () => {
      if (context.method === 'PUT' && context.req.headers['if-none-match'] === '*' && hasObject(context.path)) {
        context.req.resume()
        context.status = 412
      } else await next()
    })
    const answered = new Promise((resolve) => context.res.once('close', resolve))
    // The body of an answer is sent after its handling.
    last = handled.then(
      () => answered,
      () => answered,
    )
    return handled
  }
}
