import { describe, expect, it } from 'vitest'
import { toSegmentEvent } from './to-segment-event.ts'

describe('an event in the shape of Segment', () => {
  it('has the traits of context at the top, where a trait that is there already wins', () => {
    const event = {
      type: 'identify',
      traits: { plan: 'pro' },
      context: { ip: '::1', traits: { plan: 'free', age: 7 } },
    }
    expect(toSegmentEvent(event)).toEqual({ ...event, traits: { plan: 'pro', age: 7 } })
    expect(event.traits).toEqual({ plan: 'pro' })
  })

  it('gets traits where it has none', () => {
    const context = { traits: { name: 'Acme' } }
    expect(toSegmentEvent({ type: 'group', context })).toEqual({ type: 'group', context, traits: { name: 'Acme' } })
    expect(toSegmentEvent({ type: 'group', context, traits: null }).traits).toEqual({ name: 'Acme' })
  })

  const unchanged = [
    { name: 'of another type', event: { type: 'track', context: { traits: { plan: 'pro' } } } },
    { name: 'without traits in its context', event: { type: 'identify', traits: { plan: 'pro' }, context: {} } },
    {
      name: 'whose traits are at the top already',
      event: { type: 'identify', traits: { a: 1 }, context: { traits: { a: 2 } } },
    },
    { name: 'whose traits are no objects', event: { type: 'identify', traits: 'none', context: { traits: { a: 2 } } } },
    { name: 'whose context is no object', event: { type: 'group', context: ['traits'] } },
  ]
  for (const { name, event } of unchanged) {
    it(`is the event itself for one ${name}`, () => {
      expect(toSegmentEvent(event)).toBe(event)
    })
  }

  it('keeps a trait named __proto__ an ordinary member', () => {
    const event = JSON.parse('{"type":"identify","traits":{"a":1},"context":{"traits":{"__proto__":{"b":2}}}}')
    const { traits } = toSegmentEvent(event)
    expect(Object.getPrototypeOf(traits)).toBe(Object.prototype)
  })
})
