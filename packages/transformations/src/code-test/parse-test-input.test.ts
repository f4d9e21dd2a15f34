import { describe, expect, it } from 'vitest'
import { parseTestInput } from './parse-test-input.ts'

const nested = (levels: number): object => (levels === 0 ? {} : { in: nested(levels - 1) })
const events = [{ type: 'track' }, {}]

describe('test input', () => {
  it('is a list of events, or its JSON text', () => {
    expect(parseTestInput(events)).toEqual({ ok: true, events })
    expect(parseTestInput(JSON.stringify(events))).toEqual({ ok: true, events })
  })
  it('means the sample events when it is absent or empty', () => {
    for (const empty of [undefined, null, '', ' ', [], '[]'])
      expect(parseTestInput(empty)).toEqual({ ok: true, events: null })
  })
  const wrong = [
    { input: 'no json', problem: 'not JSON' },
    { input: '{}', problem: 'not an array' },
    { input: { type: 'track' }, problem: 'not an array' },
    { input: 7, problem: 'not an array' },
    { input: [{}, 'x'], problem: 'testInput[1]' },
    { input: [[]], problem: 'testInput[0]' },
    { input: [{ text: 'x'.repeat(1_000_000) }], problem: '1000000 are allowed' },
    { input: [nested(201)], problem: 'deeper than 200 levels' },
    { input: Array.from({ length: 201 }, () => ({})), problem: '200 are allowed' },
  ]
  for (const { input, problem } of wrong)
    it(`is refused with a reason: ${JSON.stringify(input).slice(0, 30)}`, () => {
      expect(parseTestInput(input)).toEqual({ ok: false, problem: expect.stringContaining(problem) })
    })
})
