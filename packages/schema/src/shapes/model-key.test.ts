import type { Event } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { modelKeyOf, modelKeyText } from './model-key.ts'

const of = (event: Event) => modelKeyOf({ workspaceId: 'w1', sourceId: 's1', writeKey: 'k1', event })

describe('model key', () => {
  const cases: readonly { name: string; event: Event; want: ReturnType<typeof of> }[] = [
    {
      name: 'distinguishes track calls by their name',
      event: { type: 'track', event: 'Bought' },
      want: { writeKey: 'k1', eventType: 'track', eventIdentifier: 'Bought' },
    },
    {
      name: 'accepts an empty name',
      event: { type: 'track', event: '' },
      want: { writeKey: 'k1', eventType: 'track', eventIdentifier: '' },
    },
    {
      name: 'ignores the name of other types',
      event: { type: 'page', event: 'Home', name: 'Home' },
      want: { writeKey: 'k1', eventType: 'page', eventIdentifier: '' },
    },
    { name: 'ignores a track call without a name', event: { type: 'track' }, want: undefined },
    { name: 'ignores a track call whose name is no string', event: { type: 'track', event: 1 }, want: undefined },
    { name: 'ignores an event without a type', event: { event: 'Bought' }, want: undefined },
    { name: 'ignores an event whose type is no string', event: { type: ['track'], event: 'x' }, want: undefined },
    {
      name: 'replaces lone surrogates by U+FFFD',
      event: { type: 'track', event: 'a\ud800' },
      want: { writeKey: 'k1', eventType: 'track', eventIdentifier: 'a\ufffd' },
    },
  ]
  for (const { name, event, want } of cases) {
    it(name, () => expect(of(event)).toEqual(want))
  }

  it('has different texts for different keys, whatever they contain', () => {
    const texts = [
      { writeKey: 'a', eventType: 'b', eventIdentifier: 'c' },
      { writeKey: 'ab', eventType: '', eventIdentifier: 'c' },
      { writeKey: '', eventType: 'ab', eventIdentifier: 'c' },
      { writeKey: 'a', eventType: '', eventIdentifier: 'bc' },
      { writeKey: '1 1', eventType: ' ', eventIdentifier: '1 1' },
      { writeKey: '1 1 ', eventType: '1', eventIdentifier: ' 1' },
    ].map(modelKeyText)
    expect(new Set(texts).size).toBe(texts.length)
  })
})
