import { systemClock } from '@sluice/core'
import { createHttpClient, createS3Bucket, S3Error } from '@sluice/delivery'
import { sink } from '@sluice/destinations/kit'
import type { LedgerLine, LedgerPlace } from '@sluice/regulation'
import { StoreUnusableError } from '@sluice/storage'

/** A bucket of S3, or of a server that has its API, and a key that may list, get, put and delete objects in it. */
export interface BucketAddress {
  readonly bucket: string
  /** Folder for all objects, without slashes at its ends; '' for the whole bucket. */
  readonly prefix: string
  readonly region: string
  /** Address of a server other than AWS, such as `https://minio.shop.test`. */
  readonly endpoint?: string | undefined
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** Time of one call, repetitions included. The ledger itself waits for a line for 10 s. */
const callMs = 30_000
/** Objects that are read at the same time. */
const readsMax = 16
/** Longest object that is read: see the lines of a folder. */
const objectBytesMax = 64 * 1_024 * 1_024
/** Digits of the number of a line, so that keys are in the order of lines. */
const digits = 12
const everyAddress = ['0.0.0.0/0', '::/0']

/**
 * Keeps a ledger in a bucket: an object per line, written only where there is none (`If-None-Match: *`), so that no process
 * overwrites a line of another. Positions are the numbers of lines. The first call is the first request to the bucket.
 *
 * Calls fail with StoreUnusableError: also when the bucket ignores that condition, or keeps older versions of notes.
 */
export function openBucketLedgerPlace(address: BucketAddress): LedgerPlace {
  const { bucket: bucketName, prefix, region, endpoint, accessKeyId, secretAccessKey } = address
  const folder = prefix === '' ? '' : `${prefix}/`
  const name = `the bucket ${endpoint === undefined ? '' : `${new URL(endpoint).host} `}s3://${bucketName}/${folder}`
  // The operator names it, as the database of the store: it may be in a private network.
  const client = createHttpClient({ allowAddresses: everyAddress })
  const bucketBelow = (below: string) =>
    createS3Bucket(
      sink({
        method: 'PUT',
        endpoint: `s3://${bucketName}/${encodeURI(below)}`,
        headers: { authorization: `Basic ${Buffer.from(`${accessKeyId}:${secretAccessKey}`).toString('base64')}` },
        params: {
          region,
          origin: endpoint ?? `https://s3.${region}.amazonaws.com`,
          pathStyle: endpoint !== undefined,
        },
        body: {},
      }),
      { client, clock: systemClock },
    )
  const bucket = bucketBelow(folder)
  const keyOf = (...path: readonly string[]): string => folder + path.join('/')
  const lineKey = (chain: string, number: number): string => keyOf('lines', chain, String(number).padStart(digits, '0'))
  /** The line that this process tried to write last, by chain: what is there may be of an attempt that failed. */
  const tried = new Map<string, number>()

  async function reaching<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const signal = AbortSignal.timeout(callMs)
    try {
      return await work(signal)
    } catch (error) {
      if (signal.aborted) throw new StoreUnusableError(`${name} did not answer within ${callMs / 1_000} s`)
      if (error instanceof S3Error) throw new StoreUnusableError(`${name} cannot be used: ${error.message}`)
      throw error
    }
  }
  const get = (key: string): Promise<string | undefined> => reaching((signal) => bucket.get(key, readObject, signal))
  const create = (key: string, text: string): Promise<boolean> =>
    reaching((signal) => bucket.create(key, Buffer.from(text), signal))

  async function keysBelow(below: string): Promise<readonly string[]> {
    const listed = bucketBelow(below)
    const keys: string[] = []
    for (let after = '', isLast = false; !isLast; ) {
      const from = after
      const page = await reaching((signal) => listed.list(from, signal))
      keys.push(...page.keys)
      isLast = page.isLast || page.keys.length === 0
      after = page.keys.at(-1) ?? after
    }
    return keys.map((key) => key.slice(below.length)).sort()
  }

  let conditions: Promise<void> | undefined
  /** Checks once that the bucket refuses to overwrite an object where it is asked to. */
  const requireConditions = (): Promise<void> => {
    conditions ??= checkConditions().catch((error: unknown) => {
      conditions = undefined
      throw error
    })
    return conditions
  }
  async function checkConditions(): Promise<void> {
    const key = keyOf('conditional-writes')
    const write = (): Promise<boolean> => create(key, 'written once, to see that the bucket refuses to do so again\n')
    const isOverwritten = await write()
      .then((isNew) => isNew && write())
      .catch((error: unknown) => {
        if (error instanceof Error && / 501 /.test(`${error.message} `)) return true
        throw error
      })
    if (isOverwritten)
      throw new StoreUnusableError(
        `${name} has no conditional writes (If-None-Match), so two processes could overwrite lines of each other: use a bucket that has them, a folder, or a PostgreSQL database`,
      )
  }

  const kept = (text: string): Promise<string | undefined> => get(keyOf(text))
  return {
    name,
    kept,
    keep: async (text, fresh) => {
      const known = await kept(text)
      if (known !== undefined) return known
      await requireConditions()
      // Not created when another process was first, whose text is kept then.
      await create(keyOf(text), fresh)
      return (await kept(text)) ?? fresh
    },
    replace: async (text, next) => {
      await reaching((signal) => bucket.put(keyOf(text), Buffer.from(next), {}, signal))
    },
    chains: () => keysBelow(keyOf('chains', '')),
    read: async (chain, from, limit) => {
      const key = lineKey(chain, from)
      if (limit === 1) return linesOf([await get(key)], from)
      const listed = bucketBelow(keyOf('lines', chain, ''))
      const after = from === 0 ? '' : lineKey(chain, from - 1)
      const { keys } = await reaching((signal) => listed.list(after, signal))
      // A line that is missing ends the chain, as the end of a file does.
      const whole = keys.slice(0, limit).filter((each, i) => each === lineKey(chain, from + i))
      const texts: (string | undefined)[] = []
      for (let start = 0; start < whole.length; start += readsMax)
        texts.push(...(await Promise.all(whole.slice(start, start + readsMax).map(get))))
      return linesOf(texts, from)
    },
    append: async (chain, at, text) => {
      await requireConditions()
      // Before the first line, so that no line is in a chain that is not listed.
      if (at === 0) await create(keyOf('chains', chain), '')
      const key = lineKey(chain, at)
      if (tried.get(chain) === at) {
        await reaching((signal) => bucket.put(key, Buffer.from(text), {}, signal))
        return at + 1
      }
      tried.set(chain, at)
      // It may be there because the answer to an attempt was lost.
      if (!(await create(key, text)) && (await get(key)) !== text) {
        tried.delete(chain)
        throw new StoreUnusableError(`${name}: another process has written line ${at + 1} of the chain ${chain}`)
      }
      return at + 1
    },
    writeNote: async (note, text) => {
      const headers = await reaching((signal) => bucket.put(keyOf('notes', note), Buffer.from(text), {}, signal))
      if ((headers['x-amz-version-id'] ?? 'null') !== 'null')
        throw new StoreUnusableError(
          `${name} keeps older versions of objects, so encrypted ids could not be removed from it: turn versioning off, or start without SLUICE_LEDGER_KEY`,
        )
    },
    readNote: (note) => get(keyOf('notes', note)),
    notes: () => keysBelow(keyOf('notes', '')),
    removeNote: async (note) => {
      await reaching((signal) => bucket.delete(keyOf('notes', note), signal))
    },
    close: () => client.close(),
  }
}

function linesOf(texts: readonly (string | undefined)[], from: number): readonly LedgerLine[] {
  const end = texts.indexOf(undefined)
  const whole = end < 0 ? texts : texts.slice(0, end)
  return whole.flatMap((text, i) => (text === undefined ? [] : { text, next: from + i + 1 }))
}

async function readObject({ body }: { readonly body: AsyncIterable<unknown> }): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += (chunk as Buffer).length
    if (bytes > objectBytesMax) throw new S3Error(`an object is longer than ${objectBytesMax} bytes`)
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks).toString()
}
