import { drop, type Event, fail, pass } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { nothingReturned } from '../program.ts'
import { toBatchOutcomes } from './batch-outcomes.ts'

const event = (messageId: string, n = 0): Event => ({ messageId, n })
const notAnObject = fail({
  code: 'transform.output',
  message: 'returned event in events array from transformBatch(events) is not an object',
})
const outcomesOf = (...given: Parameters<typeof toBatchOutcomes>) => toBatchOutcomes(...given).outcomes
const inputs = [event('a'), event('b'), event('c')]

describe('toBatchOutcomes', () => {
  it('assigns an output to the input with its messageId, in any order', () => {
    expect(outcomesOf(inputs, [event('c', 1), event('a', 2), event('c', 3)])).toEqual([
      pass(event('a', 2)),
      drop(nothingReturned),
      pass(event('c', 1), event('c', 3)),
    ])
  })
  it('assigns outputs with a new or no messageId to the first input', () => {
    expect(outcomesOf(inputs, [event('new'), { n: 1 }])).toEqual([
      pass(event('new'), { n: 1 }),
      drop(nothingReturned),
      drop(nothingReturned),
    ])
  })
  it('drops no input when several with the same messageId are all returned', () => {
    const twins = [event('a', 1), event('a', 2)]
    expect(outcomesOf(twins, twins)).toEqual([pass(event('a', 1)), pass(event('a', 2))])
  })
  it('fails the input at whose index a non-object was returned', () => {
    expect(outcomesOf(inputs, [event('a'), null, event('c')])).toEqual([
      pass(event('a')),
      notAnObject,
      pass(event('c')),
    ])
  })
  it('fails the first input when every input has an output', () => {
    expect(outcomesOf(inputs, [...inputs, null])).toEqual([notAnObject, pass(event('b')), pass(event('c'))])
  })
  it('takes time proportional to inputs plus outputs, not to their product', () => {
    const same = Array.from({ length: 5_000 }, (_, n) => event('same', n))
    const outputs = [
      ...Array.from({ length: 200_000 }, () => event('same')),
      ...Array.from({ length: 5_000 }, () => null),
    ]
    let outcomes: ReturnType<typeof outcomesOf> = []
    // Searching all inputs for each output took 1,000 million steps.
    expect(() => {
      outcomes = outcomesOf(same, outputs)
    }).toCostAtMost(1_500)
    expect(outcomes.filter(({ kind }) => kind === 'pass')).toHaveLength(4_999)
  })
  it('names all inputs that an output may have been made of, where its messageId does not tell which', () => {
    const [traced, made, nameless] = [event('b'), event('new'), { n: 1 }]
    const { origins } = toBatchOutcomes(inputs, [traced, made, nameless, null])
    expect([...origins]).toEqual([
      [made, [0, 1, 2]],
      [nameless, [0, 1, 2]],
    ])
    const twins = [event('a', 1), event('b'), event('a', 2)]
    const output = event('a')
    expect([...toBatchOutcomes(twins, [output, event('b')]).origins]).toEqual([[output, [0, 2]]])
    expect(toBatchOutcomes([event('a')], [event('new')]).origins.size).toBe(0)
  })
  it('names inputs without an output for outputs that were changed, which may combine them', () => {
    const combined = { messageId: 'a', all: [0, 0, 0] }
    expect([...toBatchOutcomes(inputs, [combined]).origins]).toEqual([[combined, [0, 1, 2]]])
    const changed = event('b', 7)
    expect([...toBatchOutcomes(inputs, [event('a'), changed]).origins]).toEqual([[changed, [1, 2]]])
    const renamed = inputs.map((each) => ({ ...each, messageId: 'a', userId: 'anon' }))
    expect([...toBatchOutcomes(inputs, renamed).origins]).toEqual(renamed.map((each) => [each, [0, 1, 2]]))
  })
  it('names no other input for outputs that are only filtered, or when every input has an output', () => {
    expect(toBatchOutcomes(inputs, [event('a'), event('c')]).origins.size).toBe(0)
    expect(toBatchOutcomes(inputs, [event('a', 1), event('b', 2), event('c', 3)]).origins.size).toBe(0)
  })
})
