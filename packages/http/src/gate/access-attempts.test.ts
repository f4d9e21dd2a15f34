import { createManualClock } from '@sluice/core'
import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { createAccessAttempts, type WrongAccess } from './access-attempts.ts'

const secondMs = 1_000

function scene() {
  const clock = createManualClock()
  const wrong: WrongAccess[] = []
  let compared = 0
  const attempts = createAccessAttempts({ clock, onWrong: (each) => wrong.push(each) })
  const app = new Hono()
  app.get('/', (c) => {
    const attempt = attempts.enter(c, 'admin', () => {
      compared += 1
      return c.req.header('authorization')?.startsWith('right') ? true : undefined
    })
    return c.text(attempt.ok ? 'in' : String(attempt.retryAfterSeconds ?? 'wrong'))
  })
  const ask = async (address: string, authorization = 'wrong'): Promise<string> => {
    const env = { incoming: { socket: { remoteAddress: address } } }
    return (await app.fetch(new Request('http://a.test/', { headers: { authorization } }), env)).text()
  }
  return { clock, wrong, ask, compared: () => compared }
}

it('blocks an address after ten wrong attempts, for longer each time, and compares nothing meanwhile', async () => {
  const { ask, clock, compared } = scene()
  for (let i = 0; i < 10; i += 1) expect(await ask('203.0.113.1')).toBe('wrong')
  expect(await ask('203.0.113.1', 'right')).toBe('1')
  expect(compared()).toBe(10)
  const waits: string[] = []
  for (let i = 0; i < 8; i += 1) {
    clock.advance(60 * secondMs)
    expect(await ask('203.0.113.1')).toBe('wrong')
    waits.push(await ask('203.0.113.1'))
  }
  expect(waits).toEqual(['2', '4', '8', '16', '32', '60', '60', '60'])
  clock.advance(60 * secondMs)
  expect(await ask('203.0.113.1', 'right')).toBe('in')
})

it('never blocks another address, nor credentials that worked from the same address before', async () => {
  const { ask } = scene()
  expect(await ask('203.0.113.1', 'right')).toBe('in')
  for (let i = 0; i < 500; i += 1) await ask(`203.0.113.${i % 250}`)
  for (let i = 0; i < 20; i += 1) await ask('203.0.113.1')
  expect(await ask('203.0.113.1', 'right')).toBe('in')
  expect(await ask('198.51.100.1', 'right')).toBe('in')
})

it('lets in up to 256 known callers that share an address with a guesser', async () => {
  const { ask, compared } = scene()
  const tokens = Array.from({ length: 256 }, (_, i) => `right ${i}`)
  for (const token of tokens) expect(await ask('203.0.113.1', token)).toBe('in')
  for (let i = 0; i < 14; i += 1) await ask('203.0.113.1')
  const before = compared()
  for (const token of tokens) expect(await ask('203.0.113.1', token)).toBe('in')
  expect(compared()).toBe(before + 256)
  expect(await ask('203.0.113.1', 'right 256')).toBe('1')
})

it('remembers the most recently used credentials of an address with more than 256', async () => {
  const { ask } = scene()
  for (let i = 0; i < 1_000; i += 1) {
    expect(await ask('203.0.113.1', `right ${i}`)).toBe('in')
    expect(await ask('203.0.113.1', 'right 0')).toBe('in')
  }
  for (let i = 0; i < 14; i += 1) await ask('203.0.113.1')
  const answers = await Promise.all([0, 1, 744, 745, 999].map((i) => ask('203.0.113.1', `right ${i}`)))
  expect(answers).toEqual(['in', '1', '1', 'in', 'in'])
})

it('allows each address fewer attempts while many addresses guess one user name', async () => {
  const { ask } = scene()
  for (let i = 0; i < 110; i += 1) await ask(`203.0.113.${i}`)
  const answers = [await ask('198.51.100.1'), await ask('198.51.100.1'), await ask('198.51.100.1')]
  expect(answers).toEqual(['wrong', 'wrong', '1'])
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

it('does not limit callers without an address', async () => {
  const { ask, compared } = scene()
  for (let i = 0; i < 30; i += 1) expect(await ask('')).toBe('wrong')
  expect(compared()).toBe(30)
})
