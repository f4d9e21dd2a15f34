import { createManualClock } from '@sluice/core'
import { expect, it } from 'vitest'
import type { SourcedRequest } from '../../flow/destination-path.ts'
import { KeptDeliveries } from './kept-deliveries.ts'

const minute = 60_000

/** A user is suppressed when this set has their id. */
function open({ perDestination = 3 } = {}) {
  const suppressed = new Set<unknown>()
  const clock = createManualClock()
  const kept = new KeptDeliveries({
    clock,
    perDestination,
    unsuppressed: async (_, records) => {
      if (suppressed.has('unknown')) throw new Error('the store is away')
      return records.filter(
        ({ source, outputs = [] }) => ![source, ...outputs].some(({ event }) => suppressed.has(event.userId)),
      )
    },
  })
  const sent = (
    messageId: string,
    { to = 'hook', userId = 'u1', outputUser = '', body = 'x', note = '' } = {},
  ): boolean => {
    const event = { type: 'track', messageId, userId, properties: { note } }
    const source = { workspaceId: 'shop', sourceId: 'web', writeKey: 'k', event }
    const output = outputUser === '' ? source : { ...source, event: { ...event, userId: outputUser } }
    const request: SourcedRequest = { source, output, event: output.event, messageId, userKey: userId, requests: [] }
    const watch = kept.watch('shop', to)
    if (!watch?.wants()) return false
    watch.delivered(request, { status: 200, body })
    return true
  }
  const idsAt = async (destinationId: string) =>
    (await kept.ofDestination('shop', destinationId)).map(({ source }) => source.event.messageId)
  return { kept, clock, suppressed, sent, idsAt }
}

it('keeps the last requests of each destination, and finds those of an event', async () => {
  const { kept, sent, idsAt } = open()
  for (const id of ['a', 'b', 'c', 'd']) sent(id)
  sent('d', { to: 'crm' })
  expect([await idsAt('hook'), await idsAt('crm'), await idsAt('other')]).toEqual([['d', 'c', 'b'], ['d'], []])
  const ofEvent = async (id: string) => (await kept.ofMessage('shop', id)).map(({ destinationId }) => destinationId)
  expect([await ofEvent('d'), await ofEvent('a')]).toEqual([['hook', 'crm'], []])
  expect(await kept.ofMessage('other', 'd')).toEqual([])
  kept.close()
})

it('keeps nothing when it is switched off, and nothing once it is closed', async () => {
  const off = open({ perDestination: 0 })
  expect(off.kept.watch('shop', 'hook')).toBeUndefined()
  const { kept, sent, idsAt } = open()
  sent('a')
  kept.close()
  sent('b')
  expect(await idsAt('hook')).toEqual([])
})

it('forgets after a quarter of an hour', async () => {
  const { kept, clock, sent, idsAt } = open()
  sent('a')
  clock.advance(14 * minute)
  sent('b')
  clock.advance(minute)
  expect(await idsAt('hook')).toEqual(['b'])
  await kept.sweep()
  expect(await idsAt('hook')).toEqual(['b'])
  clock.advance(14 * minute)
  expect(await idsAt('hook')).toEqual([])
  kept.close()
})

it('keeps at most a hundred in a second, so that copies take little time of a fast flow', () => {
  const { kept, clock, sent } = open()
  const fast = Array.from({ length: 150 }, (_, n) => sent(`m${n}`)).filter(Boolean)
  expect(fast).toHaveLength(100)
  clock.advance(1_000)
  expect(sent('later')).toBe(true)
  kept.close()
})

it('keeps no more text than its memory allows, whatever the size of requests', async () => {
  const { kept, sent, idsAt } = open({ perDestination: 20 })
  const body = 'x'.repeat(3 * 1_024 * 1_024)
  for (let n = 0; n < 8; n += 1) sent(`m${n}`, { body, to: n < 4 ? 'hook' : 'crm' })
  expect([await idsAt('hook'), await idsAt('crm')]).toEqual([['m3'], ['m7', 'm6', 'm5', 'm4']])
  kept.close()
})

it('counts the events, whose requests may show little', async () => {
  const { kept, sent, idsAt } = open({ perDestination: 20 })
  const note = 'x'.repeat(3 * 1_024 * 1_024)
  for (let n = 0; n < 4; n += 1) sent(`m${n}`, { note })
  for (let n = 4; n < 8; n += 1) sent(`m${n}`, { note, outputUser: 'u2' })
  expect(await idsAt('hook')).toEqual(['m7', 'm6'])
  kept.close()
})

it('does not show events of users who are suppressed, and removes them', async () => {
  const { kept, suppressed, sent, idsAt } = open({ perDestination: 9 })
  sent('a')
  sent('b', { userId: 'u2' })
  sent('c', { userId: 'u3', outputUser: 'u2' })
  suppressed.add('u2')
  expect(await idsAt('hook')).toEqual(['a'])
  await kept.forgetSuppressed('shop')
  suppressed.clear()
  expect(await idsAt('hook')).toEqual(['a'])
  kept.close()
})

it('removes all where it cannot be known who is suppressed', async () => {
  const { kept, suppressed, sent, idsAt } = open()
  sent('a')
  suppressed.add('unknown')
  await kept.sweep()
  suppressed.clear()
  expect(await idsAt('hook')).toEqual([])
  kept.close()
})
