import { createManualClock } from '@sluice/core'
import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { createAccessAttempts, type WrongAccess } from './access-attempts.ts'

const secondMs = 1_000

function scene() {
  const manual = createManualClock()
  const wrong: WrongAccess[] = []
  const sleeps: number[] = []
  let isHeld = false
  const clock = {
    ...manual,
    sleep: async (milliseconds: number, signal?: AbortSignal) => {
      sleeps.push(milliseconds)
      if (isHeld) await manual.sleep(milliseconds, signal)
    },
  }
  const attempts = createAccessAttempts({ clock, onWrong: (each) => wrong.push(each) })
  const app = new Hono()
  app.get('/', async (c) => {
    const user = c.req.query('user') ?? ''
    const attempt = await attempts.enter(c, user, () =>
      c.req.header('authorization')?.includes('right') ? true : undefined,
    )
    return c.text(attempt.ok ? 'in' : String(attempt.retryAfterSeconds ?? 'wrong'))
  })
  const ask = async (
    address: string,
    authorization = 'Bearer wrong',
    { user = '', signal = undefined as AbortSignal | undefined } = {},
  ): Promise<string> => {
    const env = { incoming: { socket: { remoteAddress: address } } }
    const request = new Request(`http://a.test/?user=${user}`, {
      headers: { authorization },
      signal,
    })
    return (await app.fetch(request, env)).text()
  }
  const hold = (): void => {
    isHeld = true
  }
  return { clock: manual, wrong, sleeps, ask, hold }
}

it('delays wrong credentials after ten of an address, longer each time, and says when to try again', async () => {
  const { ask, sleeps } = scene()
  for (let i = 0; i < 10; i += 1) expect(await ask('203.0.113.1')).toBe('wrong')
  expect(sleeps).toEqual([])
  const waits: string[] = []
  for (let i = 0; i < 8; i += 1) waits.push(await ask('203.0.113.1'))
  expect(waits).toEqual(['1', '2', '4', '8', '16', '32', '60', '60'])
  expect(sleeps).toEqual([50, 100, 200, 400, 800, 1_000, 1_000, 1_000])
})

it('lets correct credentials in at once, whatever was tried from their address, with their user name or their beginning', async () => {
  const { ask, sleeps } = scene()
  for (let i = 0; i < 2_000; i += 1) await ask('203.0.113.1', 'Bearer righ', { user: 'admin' })
  const delays = sleeps.length
  for (const address of ['203.0.113.1', '198.51.100.1'])
    for (const user of ['', 'admin']) expect(await ask(address, 'Bearer right', { user })).toBe('in')
  expect(sleeps).toHaveLength(delays)
})

it('never delays another address, until a hundred addresses guess one user name or one beginning of a token', async () => {
  for (const [header, user] of [
    ['Basic x', 'admin'],
    ['Bearer abcdefgh', ''],
  ] as const) {
    const { ask } = scene()
    for (let i = 0; i < 100; i += 1) expect(await ask(`203.0.113.${i}`, header, { user })).toBe('wrong')
    expect(await ask('198.51.100.1', header, { user })).toBe('1')
    expect(await ask('198.51.100.1', 'Bearer other', { user: 'other' })).toBe('wrong')
  }
})

it('delays at most 256 answers at a time, and none whose client has left', async () => {
  const { ask, hold, clock } = scene()
  for (let i = 0; i < 11; i += 1) await ask('203.0.113.1')
  hold()
  const left = new AbortController()
  const delayed = Array.from({ length: 256 }, () => ask('203.0.113.1', undefined, { signal: left.signal }))
  expect(await ask('203.0.113.1')).toBe('60')
  left.abort()
  await Promise.all(delayed)
  let isAnswered = false
  const last = ask('203.0.113.1').then(() => {
    isAnswered = true
  })
  await new Promise(setImmediate)
  expect(isAnswered).toBe(false)
  clock.advance(secondMs)
  await last
})

it('treats an IPv6 /64 network as one address, and forgets failures after 15 minutes', async () => {
  const { ask, clock } = scene()
  for (let i = 0; i < 10; i += 1) await ask(`2001:db8:1:2::${i}`)
  expect(await ask('2001:db8:1:2:ffff::1')).toBe('1')
  expect(await ask('2001:db8:1:3::1')).toBe('wrong')
  clock.advance(16 * 60 * secondMs)
  for (let i = 0; i < 10; i += 1) expect(await ask('2001:db8:1:2::1')).toBe('wrong')
})

it('reports failed attempts 1, 2, 4, 8… with address and count, never with the credentials', async () => {
  const { ask, clock, wrong } = scene()
  for (let i = 0; i < 9; i += 1) {
    await ask('203.0.113.1', 'hunter2')
    clock.advance(secondMs)
  }
  expect(wrong.map(({ failures }) => failures)).toEqual([1, 2, 4, 8])
  expect(JSON.stringify(wrong)).not.toContain('hunter2')
})

it('does not delay callers without an address', async () => {
  const { ask } = scene()
  for (let i = 0; i < 30; i += 1) expect(await ask('')).toBe('wrong')
})
