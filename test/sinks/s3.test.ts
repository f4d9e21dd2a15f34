import { systemClock } from '@sluice/core'
import { createTransport } from '@sluice/delivery'
import { batchEvents, parseSettings, s3 } from '@sluice/destinations'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { accessKey, type S3Server, startS3Server } from '../support/brokers/s3-server.ts'

const live = (timeMs = 3_000) => ({ signal: new AbortController().signal, timeMs })
const now = Date.UTC(2026, 1, 3, 4, 5, 6)

let server: S3Server
let transport: ReturnType<typeof createTransport>
beforeEach(async () => {
  server = await startS3Server(['events'])
  transport = createTransport({ clock: systemClock, allowAddresses: ['localhost'] })
})
afterEach(async () => {
  await transport.close()
  await server.close()
})

function requestsFor(
  events: readonly { readonly [member: string]: string }[],
  settings: object = {},
  sourceId = 'web',
) {
  const parsed = parseSettings(s3, { bucketName: 'events', ...accessKey, endPoint: server.origin, ...settings })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  const inputs = events.map((event) => ({ event, userKey: 'u', context: { now, sourceId } }))
  return batchEvents(s3, inputs, parsed.settings).batches.flatMap(({ requests }) => requests)
}

async function sendAll(...args: Parameters<typeof requestsFor>) {
  return Promise.all(requestsFor(...args).map((request) => transport.send(request, live())))
}

const tracked = (event: string) => ({ type: 'track', event, userId: 'u1' })

describe('S3 sink', () => {
  it('puts events of one source and day into one object of gzipped lines', async () => {
    const events = ['a', 'b\n', 'ü'].map(tracked)
    expect(await sendAll(events)).toMatchObject([{ status: 200 }])
    const objects = server.objects('events')
    expect(Object.keys(objects)).toEqual([
      expect.stringMatching(/^rudder-logs\/web\/02-03-2026\/1770091506\.web\.[0-9a-f-]{36}\.json\.gz$/),
    ])
    expect(Object.values(objects)).toEqual([events.map((event) => JSON.stringify(event))])
  })

  it('overwrites an object when the same request is sent again, and no other', async () => {
    await sendAll([tracked('a'), tracked('b')])
    await sendAll([tracked('a'), tracked('b')])
    await sendAll([tracked('a'), tracked('c')])
    await sendAll([tracked('a')], {}, 'app')
    expect(Object.keys(server.objects('events'))).toHaveLength(3)
  })

  it('signs keys with any characters', async () => {
    const prefix = "/a b+c/ü/%20/(x)!*'/;=@:&$,~/"
    expect(await sendAll([tracked('a')], { prefix })).toMatchObject([{ status: 200 }])
    expect(Object.keys(server.objects('events'))[0]).toMatch(/^a b\+c\/ü\/%20\/\(x\)!\*'\/;=@:&\$,~\/rudder-logs\//)
  })

  it('fails permanently for a wrong key and for an unknown bucket, and shows no key', async () => {
    const wrong = await sendAll([tracked('a')], { accessKey: 'wrong-secret-key' })
    expect(wrong).toMatchObject([{ status: 403, body: expect.stringContaining('SignatureDoesNotMatch') }])
    expect(JSON.stringify(wrong)).not.toContain('wrong-secret-key')
    expect(await sendAll([tracked('a')], { bucketName: 'absent' })).toMatchObject([{ status: 404 }])
    expect(server.objects('events')).toEqual({})
  })

  it('reports that a server is away', async () => {
    expect(await sendAll([tracked('a')], { endPoint: 'http://127.0.0.1:1' })).toMatchObject([
      {
        kind: 'network',
        code: 'ECONNREFUSED',
        message: 'events could not be reached, or the connection broke (ECONNREFUSED).',
      },
    ])
  })

  it('retries later when S3 gave up waiting for the body, which S3 reports as a bad request', () => {
    const [request] = requestsFor([tracked('a')])
    if (!request) throw new Error('unexpected')
    const reply = (code: string) => ({ status: 400, headers: {}, body: `<Error><Code>${code}</Code></Error>` })
    expect(s3.respond?.(reply('RequestTimeout'), request)).toMatchObject({ outcome: 'retry' })
    expect(s3.respond?.(reply('InvalidDigest'), request)).toMatchObject({ outcome: 'aborted' })
  })
})
