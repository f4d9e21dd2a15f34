import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { createManualClock, createSeededRandom } from '@sluice/core'
import {
  createLedger,
  createRegulations,
  createSuppressionIndex,
  type RegulationStore,
  verifyLedger,
} from '@sluice/regulation'
import { createMemoryStore } from '@sluice/storage'
import { describeLedgerPlace } from '@sluice/storage/suites'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type BucketAddress, openBucketLedgerPlace } from '../../packages/sluice/src/bucket-ledger-place.ts'
import { accessKey, type S3Server, startS3Server } from '../support/brokers/s3-server.ts'
import { runHosted } from '../support/processes/command-host.ts'

let server: S3Server
beforeEach(async () => {
  server = await startS3Server(['ledgers'])
})
afterEach(() => server.close())

const address = (more: Partial<BucketAddress> = {}): BucketAddress => ({
  bucket: 'ledgers',
  prefix: 'shop/eu',
  region: 'us-east-1',
  endpoint: server.origin,
  accessKeyId: accessKey.accessKeyID,
  secretAccessKey: accessKey.accessKey,
  ...more,
})

describeLedgerPlace('a bucket', async () => openBucketLedgerPlace(address()))

describe('a ledger in a bucket', () => {
  const clock = createManualClock()
  const workspace = () => ({ sourceIds: new Set<string>(), destinations: new Map() })
  const freshStore = (): RegulationStore => createMemoryStore({ clock, random: createSeededRandom(1) }).regulations

  /** A process with a store, which has been compared with the ledger. */
  async function begin(store: RegulationStore, seed: number) {
    const random = createSeededRandom(seed)
    const place = openBucketLedgerPlace(address())
    const onError = (error: unknown): never => {
      throw error
    }
    const ledger = createLedger({ place, store, clock, random, onError })
    const { putBack } = await ledger.compare()
    const index = createSuppressionIndex({ store, clock, random, aliases: () => ledger.aliases })
    await index.catchUp()
    const regulations = createRegulations({ store, index, ledger, clock, random, workspace })
    await ledger.settle()
    const isSuppressed = async (userId: string): Promise<boolean | undefined> =>
      (await index.check([{ workspaceId: 'w', sourceId: 's', userId }]))[0]
    return { ledger, place, putBack, regulations, isSuppressed }
  }

  it('puts back what a store has lost, of several processes', async () => {
    const processes = [await begin(freshStore(), 1), await begin(freshStore(), 2)]
    for (let n = 0; n < 30; n += 1)
      await processes[n % 2]?.regulations.create('w', {
        regulationType: 'suppress',
        users: [{ userId: `u${n}` }],
      })
    const [first] = (await processes[0]?.regulations.list('w', { limit: 1 }))?.regulations ?? []
    await processes[0]?.regulations.cancel('w', first?.id ?? '')
    for (const { ledger } of processes) await ledger.close()
    const { putBack, isSuppressed, place, ledger } = await begin(freshStore(), 3)
    expect(putBack).toBe(30)
    expect(await Promise.all(['u0', 'u1', 'u29', 'u30'].map(isSuppressed))).toEqual([false, true, true, false])
    const problems: unknown[] = []
    for await (const report of verifyLedger(place)) problems.push(report.problem)
    expect(problems).toEqual([undefined, undefined])
    await ledger.close()
  })

  it('is checked by the command, whose key is in the environment', async () => {
    const { ledger, regulations } = await begin(freshStore(), 4)
    await regulations.create('w', { regulationType: 'suppress', users: [{ userId: 'u1' }] })
    await ledger.close()
    const env = { AWS_ACCESS_KEY_ID: accessKey.accessKeyID, AWS_SECRET_ACCESS_KEY: accessKey.accessKey }
    const place = `s3://ledgers/shop/eu?endpoint=${server.origin}`
    const verified = await runHosted(['ledger', 'verify', '--ledger', place], { cwd: tmpdir(), env })
    expect(verified).toMatchObject({ status: 0, stderr: '' })
    expect(verified.stdout).toMatch(
      /s3:\/\/ledgers\/shop\/eu\/: 1 regulations, 0 cancelled, in 1 chains, 0 of them broken/,
    )
    const refused = await runHosted(['ledger', 'verify', '--ledger', place], { cwd: tmpdir(), env: {} })
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('set AWS_ACCESS_KEY_ID and') })
  })

  it('lets no process write a line that another has written', async () => {
    const [one, two] = [openBucketLedgerPlace(address()), openBucketLedgerPlace(address())]
    await one.append('chain', 0, 'first of one')
    await expect(two.append('chain', 0, 'first of two')).rejects.toThrow(
      /another process has written line 1 of the chain chain/,
    )
    await expect(two.append('chain', 0, 'again')).rejects.toThrow(/another process/)
    // The answer to the first attempt may have been lost.
    expect(await two.append('chain', 0, 'first of one')).toBe(1)
    expect(await one.read('chain', 0, 10)).toEqual([{ text: 'first of one', next: 1 }])
    for (const place of [one, two]) await place.close()
  })

  it('refuses a bucket that overwrites objects although it is asked not to', async () => {
    const careless = createServer((request, response) => {
      request.resume()
      response.writeHead(request.method === 'PUT' ? 200 : 404).end()
    })
    await new Promise<void>((resolve) => careless.listen(0, '127.0.0.1', resolve))
    const { port } = careless.address() as AddressInfo
    const place = openBucketLedgerPlace(address({ endpoint: `http://127.0.0.1:${port}` }))
    const refusal =
      /has no conditional writes \(If-None-Match\).* use a bucket that has them, a folder, or a PostgreSQL/
    await expect(place.keep('id', 'x')).rejects.toThrow(refusal)
    await expect(place.append('chain', 0, '{}')).rejects.toThrow(refusal)
    await place.close()
    await new Promise((resolve) => careless.close(resolve))
  })

  it('names the bucket in errors, and never the key', async () => {
    const place = openBucketLedgerPlace(address({ secretAccessKey: 'not-the-key-of-the-bucket' }))
    const error = await place.keep('id', 'x').catch((reason: Error) => reason.message)
    expect(error).toMatch(/^the bucket 127\.0\.0\.1:\d+ s3:\/\/ledgers\/shop\/eu\/ cannot be used: .* It answered 403/)
    expect(error).not.toContain('not-the-key')
    await place.close()
  })
})
