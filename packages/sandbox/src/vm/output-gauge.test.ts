import { describe, expect, it } from 'vitest'
import { binaryCrossing } from '../crossing/binary-crossing.ts'
import { completeLimits } from '../sandbox-limits.ts'
import { type Admitted, commonBytesOf, OutputGauge, outputRoom } from './output-gauge.ts'

const limits = completeLimits({ outputBytesPerEvent: 100_000, outputBytesPerBatch: 400_000 })
const encoder = binaryCrossing.createEncoder()
const bytesOf = (value: unknown) => {
  encoder.append(value)
  return encoder.take()
}
const answer = (text: string, log = '') => bytesOf([0, log, 0, { text }])
const gaugeFor = (count: number) =>
  new OutputGauge(binaryCrossing.createMeter(), limits, outputRoom(limits, count), count)
const messageOf = (admitted: Admitted) => ('error' in admitted ? admitted.error.message : 'admitted')

describe('the gauge of a batch', () => {
  it('divides half of the room among the events, at least 16 KiB each, and shares the other half', () => {
    expect(outputRoom(limits, 4)).toEqual({ shareBytes: 50_000, commonBytes: 200_000 })
    expect(outputRoom(limits, 1_000)).toEqual({ shareBytes: 16 * 1024, commonBytes: 200_000 })
    expect(commonBytesOf(70_000, 1, outputRoom(limits, 4))).toBe(20_000)
    expect(commonBytesOf(70_000, 2, outputRoom(limits, 4))).toBe(0)
  })
  it('refuses a large event once the shared room is used up, but no event within its own part', () => {
    const gauge = gaugeFor(10)
    const large = answer('x'.repeat(80_000))
    const small = answer('x'.repeat(15_000))
    // Each event has 20,000 bytes of its own, so each large one takes 60,000 of the 200,000 shared bytes.
    const ends = Array.from({ length: 5 }, () => messageOf(gauge.admit(large, 0)))
    expect(ends.slice(0, 3)).toEqual(['admitted', 'admitted', 'admitted'])
    for (const end of ends.slice(3))
      expect(end).toMatch(/take 80\d+ bytes, and what the batch may return, 400000 bytes/)
    for (let i = 0; i < 5; i += 1) expect(messageOf(gauge.admit(small, 0))).toBe('admitted')
  })
  it('names the exceeded limit of an event, and keeps its log', () => {
    const refused = gaugeFor(1).admit(answer('x'.repeat(100_001), '"line"'), 0)
    expect(refused).toMatchObject({
      error: {
        code: 'transform.output',
        message: 'the returned events take 100014 bytes of JSON text, at most 100000 are allowed',
      },
    })
    const log = 'log' in refused ? refused.log : undefined
    expect(
      log && binaryCrossing.createDecoder().decode(log, 0, log.length, { depthMax: 9, valuesMax: 9, charsMax: 99 }),
    ).toMatchObject({ value: [0, '"line"', 2] })
    const keys = Object.fromEntries(Array.from({ length: 10_001 }, (_, n) => [`k${n}`, null]))
    expect(messageOf(gaugeFor(1).admit(bytesOf([0, '', 0, keys]), 0))).toBe(
      'the returned events have 10001 different keys, at most 10000 are allowed',
    )
    const values = [0, '', 0, { list: Array.from({ length: 20_000 }, () => 1) }]
    expect(messageOf(gaugeFor(1).admit(bytesOf(values), 0))).toBe(
      'a returned event holds 20002 values, at most 20000 are allowed',
    )
  })
  it('drops a log rather than the event it belongs to', () => {
    const gauge = gaugeFor(10)
    for (let i = 0; i < 3; i += 1) gauge.admit(answer('x'.repeat(80_000)), 0)
    const admitted = gauge.admit(answer('x', JSON.stringify('y'.repeat(60_000))), 0)
    expect(messageOf(admitted)).toBe('admitted')
    expect('bytes' in admitted && Buffer.from(admitted.bytes).toString('latin1')).toContain('[log limit reached]')
  })
  it('passes exceptions regardless of the limits for events', () => {
    const tight = completeLimits({ outputBytesPerEvent: 100 })
    const gauge = new OutputGauge(binaryCrossing.createMeter(), tight, outputRoom(tight, 1), 1)
    const exception = bytesOf([0, '', 1, 'threw', true, false, 'Error', 'm'.repeat(2_000), ''])
    expect(messageOf(gauge.admit(exception, 0))).toBe('admitted')
  })
  it('weighs a list of answers as a whole, unless one of them must be checked by itself', () => {
    const list = (...texts: string[]) => bytesOf(texts.map((text, index) => [index, '', 0, { text }]))
    const small = list('a', 'b')
    // The length of the answers, and 128 bytes for the single key.
    expect(gaugeFor(10).listWeight(small, 2)).toBe(small.length + 128)
    expect(gaugeFor(1).listWeight(list('a', 'x'.repeat(100_001)), 2)).toBeUndefined()
    expect(gaugeFor(10).listWeight(list('a', 'x'.repeat(50_000)), 2)).toBeUndefined()
  })
})
