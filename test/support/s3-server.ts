import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { gunzipSync } from 'node:zlib'
import S3rver from '@20minutes/s3rver'

export interface S3Server {
  readonly origin: string
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
  const { port: bound } = await server.run()
  return {
    origin: `http://127.0.0.1:${bound}`,
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
