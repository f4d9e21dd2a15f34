import { type DeliveryRequest, query } from '@sluice/destinations/kit'
import { describe, expect, it } from 'vitest'
import { createRecordingTransport, reply } from '../../transport/recording-transport.ts'
import { runAction } from './run-action.ts'

const live = new AbortController().signal
const ask = (path: string): DeliveryRequest => query({ method: 'GET', endpoint: `https://api.test/${path}` })
const pause = (timeMs: number) => new Promise((resolve) => setTimeout(resolve, timeMs))

describe('a run of an action', () => {
  it('returns its value and each request with its reply, in the order of the replies', async () => {
    const transport = createRecordingTransport(async ({ endpoint }) => {
      if (endpoint.endsWith('slow')) await pause(0)
      return reply(200, endpoint.slice(-4))
    })
    const { value, steps } = await runAction(
      { transport, signal: live, timeMs: 1_000 },
      async ({ send }) => {
        const replies = await Promise.all([send(ask('slow')), send(ask('fast'))])
        return replies.map((each) => each.kind)
      },
      () => [],
    )
    expect(value).toEqual(['reply', 'reply'])
    expect(steps.map(({ request, result }) => [request.endpoint, result])).toEqual([
      ['https://api.test/fast', reply(200, 'fast')],
      ['https://api.test/slow', reply(200, 'slow')],
    ])
  })

  it('gives a request the time that it names, but no more than the whole run has', async () => {
    const times: number[] = []
    const transport = createRecordingTransport((_, { timeMs }) => {
      times.push(timeMs)
      return reply(200)
    })
    await runAction(
      { transport, signal: live, timeMs: 500 },
      async ({ send }) => {
        for (const timeMs of [100, 9_000, undefined]) await send(ask('a'), timeMs)
      },
      () => undefined,
    )
    expect(times).toEqual([100, 500, 500])
  })

  it('reads longer replies than delivery does', async () => {
    const limits: (number | undefined)[] = []
    const transport = createRecordingTransport((_, { replyBytesMax }) => {
      limits.push(replyBytesMax)
      return reply(200)
    })
    await runAction(
      { transport, signal: live, timeMs: 500 },
      ({ send }) => send(ask('a')),
      () => undefined,
    )
    expect(limits).toEqual([4 * 1024 * 1024])
  })

  it('sends at most 200 requests, and keeps the newest 50', async () => {
    const transport = createRecordingTransport()
    const { value, steps } = await runAction(
      { transport, signal: live, timeMs: 5_000 },
      async ({ send }) => {
        const kinds: string[] = []
        for (let n = 1; n <= 203; n += 1) kinds.push((await send(ask(String(n)))).kind)
        return kinds
      },
      () => [],
    )
    expect(transport.requests).toHaveLength(200)
    expect(value.indexOf('unsendable')).toBe(200)
    expect(steps).toHaveLength(50)
    expect(steps.at(-1)).toMatchObject({
      request: { endpoint: 'https://api.test/203' },
      result: { code: 'ERR_TOO_MANY_REQUESTS', message: expect.stringContaining('at most 200 requests') },
    })
  })

  it('that takes too long has the value for that, and can send nothing more', async () => {
    const transport = createRecordingTransport()
    let late: unknown
    const { value, steps } = await runAction(
      { transport, signal: live, timeMs: 20 },
      async ({ send, signal }) => {
        await send(ask('first'))
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        late = await send(ask('late')).catch((error: unknown) => error)
        return 'ended'
      },
      () => 'too late',
    )
    expect(value).toBe('too late')
    await pause(0)
    expect(late).toMatchObject({ name: 'AbortError' })
    expect(transport.requests.map(({ endpoint }) => endpoint)).toEqual(['https://api.test/first'])
    expect(steps).toHaveLength(1)
  })

  it('can send nothing more once it has ended by itself', async () => {
    const transport = createRecordingTransport()
    let send: ((request: DeliveryRequest) => Promise<unknown>) | undefined
    await runAction(
      { transport, signal: live, timeMs: 500 },
      async (call) => {
        send = call.send
      },
      () => undefined,
    )
    await expect(send?.(ask('late'))).rejects.toMatchObject({ name: 'AbortError' })
    expect(transport.requests).toEqual([])
  })

  it('throws what the code throws, also when it throws at once', async () => {
    const run = (code: () => Promise<never>) =>
      runAction({ transport: createRecordingTransport(), signal: live, timeMs: 500 }, code, () => undefined)
    await expect(run(() => Promise.reject(new Error('later')))).rejects.toThrow('later')
    await expect(
      run(() => {
        throw new Error('at once')
      }),
    ).rejects.toThrow('at once')
  })

  it('ends with the reason of the signal when delivery stops', async () => {
    const stop = new AbortController()
    const run = runAction(
      { transport: createRecordingTransport(), signal: stop.signal, timeMs: 5_000 },
      () => new Promise<never>(() => {}),
      () => undefined,
    )
    stop.abort(new Error('stopping'))
    await expect(run).rejects.toThrow('stopping')
  })
})
