import { describe, expect, it } from 'vitest'
import { topicInTable, topicOf } from './topic-of.ts'

const table = [
  { from: 'Order Completed', to: 'orders' },
  { from: 'TRACK', to: 'tracks' },
  { from: ' ', to: 'blank' },
  { from: 'page', to: '' },
  { from: '*', to: 'rest' },
]

describe('the topic of an event in a table', () => {
  const cases = [
    { name: 'is that of its name', event: { type: 'track', event: 'order completed' }, want: 'orders' },
    { name: 'is that of its type when the name has none', event: { type: 'track', event: 'Other' }, want: 'tracks' },
    { name: 'is that of * otherwise', event: { type: 'screen' }, want: 'rest' },
    { name: 'is not an empty one', event: { type: 'page' }, want: 'rest' },
    { name: 'is not that of a blank name', event: { type: 'track', event: ' ' }, want: 'tracks' },
    { name: 'survives types that are no text', event: { type: 7 as never, event: {} }, want: 'rest' },
  ]
  for (const { name, event, want } of cases) it(name, () => expect(topicInTable(event, table)).toBe(want))

  it('is none without an entry', () => expect(topicInTable({ type: 'page' }, [])).toBeUndefined())
})

describe('the topic of an event', () => {
  const special = /[\s.*>]/g

  it('is filled in where the table has none', () => {
    const event = { type: 'track', event: 'Order Completed' }
    expect(topicOf(event, 'app.{{ type }}.{{ event }}', [], special)).toBe('app.track.Order_Completed')
    expect(topicOf(event, 'app', table, special)).toBe('orders')
  })

  it('cannot be chosen by a sender', () => {
    expect(topicOf({ type: 'track', event: 'a.>.*' }, 'app.{{ event }}', [], special)).toBe('app.a____')
    expect(topicOf({ type: 'track', event: 'x'.repeat(900) }, '{{ event }}', [], special)).toHaveLength(200)
  })
})
