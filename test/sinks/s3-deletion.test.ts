import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync, gzipSync } from 'node:zlib'
import { systemClock } from '@sluice/core'
import { createLineEraser, createTransport, type UserErasure } from '@sluice/delivery'
import { batchEvents, type KeptLinesRule, parseSettings, s3 } from '@sluice/destinations'
import { isMappingError } from '@sluice/destinations/kit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { accessKey, type S3Server, startS3Server } from '../support/brokers/s3-server.ts'
import { conformanceFile, conformanceJson, hasConformance } from '../support/texts/conformance.ts'

const { signal } = new AbortController()
const rule = s3.keptLines as KeptLinesRule
const cleanups: (() => Promise<unknown> | unknown)[] = []
let server: S3Server
beforeEach(async () => {
  server = await startS3Server(['events'])
  cleanups.push(() => server.close())
})
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

function settingsFor(origin: string, more = {}) {
  const parsed = parseSettings(s3, { bucketName: 'events', endPoint: origin, ...accessKey, ...more })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  return parsed.settings
}

function transport() {
  const created = createTransport({ clock: systemClock, allowAddresses: ['localhost'] })
  cleanups.push(() => created.close())
  return created
}

interface Progress {
  readonly marks?: readonly string[]
  readonly reached?: string[]
}

async function erase(
  users: readonly string[],
  { marks = [], reached = [] }: Progress = {},
  {
    origin = server.origin,
    settings = {},
    userIdAt = rule.userIdAt,
  }: {
    readonly origin?: string
    readonly settings?: object
    readonly userIdAt?: KeptLinesRule['userIdAt'] | undefined
  } = {},
): Promise<UserErasure | undefined> {
  const { eraseLines } = transport()
  if (!eraseLines) throw new Error('it cannot erase')
  const eraser = createLineEraser({
    rule: userIdAt === undefined ? rule : { ...rule, userIdAt },
    settings: settingsFor(origin, settings),
    eraseLines,
  })
  const [erasure] = await eraser.erase(
    users.map((userId) => ({ userId })),
    signal,
    { marks, ended: async () => {}, reached: async (mark) => void reached.push(mark) },
  )
  return erasure
}

const lines = (...users: readonly string[]) => users.map((userId, n) => `{"n": ${n}, "userId":"${userId}"}\n`).join('')

interface Call {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
}

/** A page of two keys, in the format of an S3 list. */
function listed(keys: readonly string[], query: URLSearchParams): string {
  const inOrder = keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  const later = inOrder.slice(inOrder.indexOf(query.get('start-after') ?? '') + 1)
  const contents = later
    .slice(0, 2)
    .map((key) => `<Contents><Key>${encodeURIComponent(key).replaceAll('%20', '+')}</Key></Contents>`)
  return `<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>${later.length > 2}</IsTruncated>${contents.join('')}</ListBucketResult>`
}

/** A proxy in front of the server that records requests and can answer them itself. */
async function startGate(
  answer: (call: Call, times: number) => { readonly status: number; readonly body?: string } | undefined = () =>
    undefined,
) {
  const calls: Call[] = []
  const gate = createServer((incoming, outgoing) => {
    const [at = '', query] = (incoming.url ?? '').split('?')
    const call = { method: incoming.method ?? '', path: at, query: new URLSearchParams(query) }
    calls.push(call)
    const answered = answer(
      call,
      calls.filter(({ method, path }) => method === call.method && path === call.path).length,
    )
    if (answered) return outgoing.writeHead(answered.status).end(answered.body)
    const { method, url: path, headers } = incoming
    const { hostname, port } = new URL(server.origin)
    const passed = forward({ hostname, port, method, path, headers }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 500, reply.headers)
      reply.pipe(outgoing)
    })
    incoming.pipe(passed)
    outgoing.on('close', () => passed.destroy())
    passed.on('error', () => outgoing.destroy())
    return undefined
  })
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve))
  cleanups.push(() => new Promise((resolve) => gate.close(resolve).closeAllConnections()))
  return { origin: `http://127.0.0.1:${(gate.address() as AddressInfo).port}`, calls }
}

describe('erasing users from S3', () => {
  it('removes the lines that the sink has written, and keeps all others and the names of objects', async () => {
    const events = ['gone', 'stays', 'gone', 'stays'].map((userId, n) => ({ type: 'track', userId, n }))
    const inputs = events.map((event, n) => ({
      event,
      userKey: event.userId,
      context: { now: n, sourceId: `s${n % 2}` },
    }))
    const settings = settingsFor(server.origin, { prefix: 'shop' })
    const requests = batchEvents(s3, inputs, settings).batches.flatMap((batch) => batch.requests)
    for (const request of requests)
      expect(await transport().send(request, { signal, timeMs: 9_000 })).toMatchObject({ status: 200 })
    const names = Object.keys(server.objects('events'))
    expect(await erase(['gone'], {}, { settings: { prefix: 'shop' } })).toEqual({ status: 'complete' })
    const after = server.objects('events')
    expect(Object.keys(after)).toEqual(names)
    expect(Object.values(after).flat().sort()).toEqual([1, 3].map((n) => JSON.stringify(events[n])))
  })

  it('removes and counts each event that names the user in another member than userId', async () => {
    const alias = '{"type":"alias","userId":"new","previousId":"gone"}\n'
    const external = '{"type":"track","userId":"u","context":{"externalId":[{"type":"t","id":"gone"}]}}\n'
    const group = '{"type":"group","userId":"u","traits":{"id":"gone"}}\n'
    server.put('events', 'a.json.gz', gzipSync(alias + group + external))
    const { countLines } = transport()
    const place = rule.place(settingsFor(server.origin))
    if (isMappingError(place)) throw new Error(place.message)
    const count = () => countLines?.({ place, userIdAt: rule.userIdAt, userIds: new Set(['gone']), signal })
    expect(await count()).toEqual({ ok: true, count: 2 })
    expect(await erase(['gone'])).toEqual({ status: 'complete' })
    expect(gunzipSync(server.read('events', 'a.json.gz').body).toString()).toBe(group)
    expect(await count()).toEqual({ ok: true, count: 0 })
  })

  it('finds before what it removes, below the prefix, and nothing afterwards', async () => {
    for (const key of ['a/1', 'a/2', 'b/1'])
      server.put('events', `${key}.json.gz`, gzipSync(lines('gone', 'stays', ' gone')))
    const prefixed = { settings: { prefix: 'a' } }
    const { countLines } = transport()
    const count = async (settings = {}) => {
      const place = rule.place(settingsFor(server.origin, settings))
      if (isMappingError(place)) throw new Error(place.message)
      return countLines?.({ place, userIdAt: rule.userIdAt, userIds: new Set(['gone']), signal })
    }
    const before = server.objects('events')
    expect([await count(prefixed.settings), await count()]).toEqual([
      { ok: true, count: 4 },
      { ok: true, count: 6 },
    ])
    expect(server.objects('events')).toEqual(before)
    await erase(['gone'], {}, prefixed)
    expect([await count(prefixed.settings), await count()]).toEqual([
      { ok: true, count: 0 },
      { ok: true, count: 2 },
    ])
    server.put('events', 'a/3.json.gz', Buffer.from('no gzip'))
    expect(await count()).toEqual({
      ok: false,
      reason: expect.stringMatching(/the object a\/3\.json\.gz cannot be read/),
    })
  })

  it('rewrites only objects that change, only below the prefix, and keeps their metadata', async () => {
    server.put('events', 'a/1.json.gz', gzipSync(lines('gone', 'stays')), {
      'content-type': 'text/x',
      'x-amz-meta-of': 'me',
    })
    server.put('events', 'a/2.json.gz', gzipSync(lines('stays')))
    server.put('events', 'a/3.txt', Buffer.from(lines('gone')))
    server.put('events', 'ab/4.json.gz', gzipSync(lines('gone')))
    const gate = await startGate()
    await erase(['gone'], {}, { origin: gate.origin, settings: { prefix: '/a/' } })
    expect(gate.calls.flatMap(({ method, path }) => (method === 'PUT' ? [path] : []))).toEqual(['/events/a/1.json.gz'])
    expect(gunzipSync(server.read('events', 'a/1.json.gz').body).toString()).toBe('{"n": 1, "userId":"stays"}\n')
    expect(server.read('events', 'a/1.json.gz').headers).toMatchObject({
      'content-type': 'text/x',
      'x-amz-meta-of': 'me',
    })
    expect(gunzipSync(server.read('events', 'ab/4.json.gz').body).toString()).toContain('gone')
  })

  it('leaves an empty object when all its lines are of the user', async () => {
    server.put('events', 'all.json.gz', gzipSync(lines('gone')))
    await erase(['gone'])
    expect(server.objects('events')['all.json.gz']).toEqual([])
  })

  it('finds objects on several list pages, whatever characters are in their names', async () => {
    const keys = ['a b/+&=<>"%41.json.gz', 'ü/ö.json.gz', 'z=1/(x)*!.json.gz', '𝄞.json.gz', '\uffee.json.gz']
    for (const key of keys) server.put('events', key, gzipSync(lines('gone', 'stays')))
    // The test server cannot page, and gets some characters wrong.
    const gate = await startGate(({ path, query }) =>
      path === '/events' ? { status: 200, body: listed(keys, query) } : undefined,
    )
    const reached: string[] = []
    expect(await erase(['gone'], { reached }, { origin: gate.origin })).toEqual({ status: 'complete' })
    for (const key of keys) expect([key, server.objects('events')[key]]).toEqual([key, ['{"n": 1, "userId":"stays"}']])
    expect(reached).toEqual(['z=1/(x)*!.json.gz', '\uffee.json.gz', '𝄞.json.gz'])
    expect(gate.calls.filter(({ path }) => path === '/events')).toHaveLength(3)
  })

  it('stops when a list does not advance', async () => {
    const gate = await startGate(({ path }) =>
      path === '/events'
        ? { status: 200, body: listed(['1.txt', '2.txt', '3.txt'], new URLSearchParams()) }
        : undefined,
    )
    expect(await erase(['gone'], {}, { origin: gate.origin })).toEqual({
      status: 'aborted',
      reason: 'the server does not list objects in the order of their keys',
    })
  })

  it('continues after the mark of each user', async () => {
    for (const n of [1, 2, 3]) server.put('events', `${n}.json.gz`, gzipSync(lines('early', 'late', 'stays')))
    await erase(['early', 'late'], { marks: ['1.json.gz', '2.json.gz'] })
    expect(Object.values(server.objects('events')).map((each) => each.length)).toEqual([3, 2, 1])
  })

  it('retries temporary failures; marks only finished work, and reports where it stopped', async () => {
    for (let n = 0; n < 130; n += 1)
      server.put('events', `${String(n).padStart(3, '0')}.json.gz`, gzipSync(lines('gone')))
    const flaky = await startGate(({ path }, times) =>
      path.endsWith('/001.json.gz') && times < 3 ? { status: 503 } : undefined,
    )
    expect(await erase(['gone'], {}, { origin: flaky.origin })).toEqual({ status: 'complete' })
    server.put('events', '070.json.gz', gzipSync(lines('gone')))
    const refusing = await startGate(({ method }) => (method === 'PUT' ? { status: 403 } : undefined))
    const reached: string[] = []
    expect(await erase(['gone'], { reached }, { origin: refusing.origin })).toEqual({
      status: 'failed',
      reason: expect.stringMatching(/events: It answered 403/),
    })
    expect(reached).toEqual(['063.json.gz'])
  }, 30_000)

  it('reports objects that are not gzipped lines, after all others are done', async () => {
    server.put('events', '1.json.gz', Buffer.from(lines('gone')))
    server.put('events', '2.json.gz', gzipSync(lines('gone', 'stays')))
    const reached: string[] = []
    expect(await erase(['gone'], { reached })).toEqual({
      status: 'failed',
      reason: '1 objects cannot be read as gzipped lines, beginning with 1.json.gz (Z_DATA_ERROR)',
    })
    expect(gunzipSync(server.read('events', '2.json.gz').body).toString()).not.toContain('gone')
    expect(reached).toEqual([])
  })

  it('reports a bucket that keeps earlier versions of objects, to the users in them', async () => {
    server.put('events', '1.json.gz', gzipSync(lines('gone')))
    const versioned = createServer((incoming, outgoing) => {
      const { hostname, port } = new URL(server.origin)
      const { method, url: path, headers } = incoming
      const passed = forward({ hostname, port, method, path, headers }, (reply) => {
        outgoing.writeHead(reply.statusCode ?? 500, { ...reply.headers, 'x-amz-version-id': 'v1' })
        reply.pipe(outgoing)
      })
      incoming.pipe(passed)
    })
    await new Promise<void>((resolve) => versioned.listen(0, '127.0.0.1', resolve))
    cleanups.push(() => new Promise((resolve) => versioned.close(resolve).closeAllConnections()))
    const origin = `http://127.0.0.1:${(versioned.address() as AddressInfo).port}`
    expect(await erase(['gone', 'ghost'], {}, { origin })).toEqual({
      status: 'complete',
      note: 'the bucket keeps older versions: remove those of 1 rewritten objects',
    })
    server.put('events', '1.json.gz', gzipSync(lines('gone')))
    expect(await erase(['ghost', 'gone'], {}, { origin })).toEqual({ status: 'complete' })
  })

  it('stops at once when it is aborted', async () => {
    server.put('events', '1.json.gz', gzipSync(lines('gone')))
    const stop = new AbortController()
    const { eraseLines } = transport()
    const eraser = createLineEraser({
      rule,
      settings: settingsFor('http://127.0.0.1:9'),
      eraseLines: eraseLines as never,
    })
    const erased = eraser.erase([{ userId: 'gone' }], stop.signal)
    stop.abort(new Error('stopping'))
    await expect(erased).rejects.toThrow('stopping')
  })
})

interface Pair {
  readonly users: readonly string[]
  readonly idPath: readonly string[]
}

describe.skipIf(!hasConformance)(
  `deletion from objects, outside cases${hasConformance ? '' : ' (skipped: they are absent)'}`,
  () => {
    const folder = 'governance/deletion'
    const cases = () =>
      conformanceJson(`${folder}/delete_cases.json`) as {
        readonly s3: Pair & { readonly input: string; readonly expected: string }
        readonly inline: readonly (Pair & { readonly in: string; readonly out: string })[]
      }
    const erased = async (input: Uint8Array, users: readonly string[], userIdAt: readonly (readonly string[])[]) => {
      server.put('events', 'input.json.gz', input)
      expect(await erase(users, {}, { userIdAt })).toEqual({ status: 'complete' })
      return gunzipSync(server.read('events', 'input.json.gz').body).toString()
    }

    it('produces the expected object, byte by byte', async () => {
      const { users, idPath, input, expected } = cases().s3
      const found = await erased(conformanceFile(`${folder}/${input}`), users, [idPath])
      expect(found).toBe(gunzipSync(conformanceFile(`${folder}/${expected}`)).toString())
    })

    it('produces the expected object of a data lake', async () => {
      const at = [['data', 'user_id'], ['user_id']]
      const found = await erased(
        conformanceFile(`${folder}/datalake_input.json.gz`),
        ['68108b4d-245f-4aba-b240-8fb107c9d7b2'],
        at,
      )
      expect(found).toBe(gunzipSync(conformanceFile(`${folder}/datalake_expected.json.gz`)).toString())
    })

    it('agrees on the small ones', async () => {
      for (const { users, idPath, in: input, out } of cases().inline)
        expect([input, await erased(gzipSync(input), users, [idPath])]).toEqual([input, out])
    })
  },
)
