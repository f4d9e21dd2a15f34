import { describe, expect, it } from 'vitest'
import { binaryCrossing } from '../crossing/binary-crossing.ts'
import { type BatchReply, type EncodeOptions, encodeBatch } from '../vm/batch-request.ts'
import { wholeBatch } from '../vm/guest/prelude.ts'
import { outputRoom } from '../vm/output-gauge.ts'
import { createBareSlot } from './bare-slot.ts'
import { runBatch } from './batch-run.ts'
import { loading } from './on-enter.ts'

const live = new AbortController().signal

async function runEvents(
  code: string,
  count: number,
  options: Partial<EncodeOptions> = {},
): Promise<{ readonly reply: BatchReply; readonly entered: readonly number[] }> {
  const { slot, modules, limits } = await createBareSlot(code, { eventTimeMs: 100 })
  const inputs = Array.from({ length: count }, (_, n) => ({ event: { n }, metadata: {} }))
  const { request } = encodeBatch(binaryCrossing.createEncoder(), inputs, {
    isolation: 'batch',
    eager: false,
    timeMs: 1_000,
    room: outputRoom(limits, count),
    usesMetadata: false,
    singly: false,
    ...options,
  })
  const entered: number[] = []
  const reply = await runBatch(request, modules, slot, limits, live, (whose) => entered.push(whose))
  return { reply, entered }
}

/** Events with an answer. A failed event may have a part too, which then holds only its log. */
const answered = ({ parts, failures }: BatchReply) => {
  const indexes = parts.flatMap((part) => part.indexes)
  return indexes.filter((index) => failures.every((failure) => failure.index !== index))
}
const failed = ({ failures }: BatchReply) => failures.map(({ index, error }) => [index, error.code])

describe('a batch', () => {
  it('runs its events in order, and announces each before its code runs', async () => {
    const { reply, entered } = await runEvents('export const transformEvent = (event) => event', 3)
    expect(answered(reply)).toEqual([0, 1, 2])
    expect(entered[0]).toBe(loading)
    expect([...new Set(entered.filter((whose) => whose >= 0))]).toEqual([0, 1, 2])
  })

  it('has every event once: with an answer, as a failure, or to be run again', async () => {
    const code = `export async function transformEvent({ n }) {
      if (n === 1) throw new Error('no')
      if (n === 2) for (;;);
      return { n }
    }`
    const { reply } = await runEvents(code, 5)
    const all = [...answered(reply), ...reply.failures.map(({ index }) => index), ...reply.again]
    expect(all.sort()).toEqual([0, 1, 2, 3, 4])
    expect(failed(reply)).toEqual([[2, 'transform.timeout']])
  })

  it('continues with a restored program after an event that ran out of time', async () => {
    const code = `let seen = 0
      export function transformEvent({ n }) {
        seen += 1
        if (n === 1) for (;;);
        return { seen }
      }`
    const { reply } = await runEvents(code, 3)
    expect(answered(reply).concat(reply.again).sort()).toEqual([0, 2])
    expect(failed(reply)).toEqual([[1, 'transform.timeout']])
  })

  it('fails the events whose promises nothing can settle any more', async () => {
    const code = 'export const transformEvent = ({ n }) => (n === 1 ? new Promise(() => {}) : { n })'
    const { reply } = await runEvents(code, 3)
    expect(reply.failures[0]?.error.message).toContain('never resolves')
    expect(failed(reply)).toEqual([[1, 'transform.timeout']])
  })

  it('fails the events that are left when its own time is used up', async () => {
    const code = 'export function transformEvent() { for (;;); }'
    const { reply } = await runEvents(code, 5, { timeMs: 40 })
    expect(reply.failures.at(-1)).toMatchObject({
      index: 4,
      error: { message: expect.stringContaining("event's turn") },
    })
  })

  it('fails as a whole when its program cannot be loaded', async () => {
    const { reply } = await runEvents('export const transformEvent =', 2)
    expect(failed(reply)).toEqual([[wholeBatch, 'transform.load']])
  })

  it('shows no event the state of another with isolation event', async () => {
    const code = 'let seen = 0; export const transformEvent = () => ({ seen: (seen += 1) })'
    const decoder = binaryCrossing.createDecoder()
    const { reply } = await runEvents(code, 2, { isolation: 'event' })
    const limits = { depthMax: 9, valuesMax: 99, charsMax: 999 }
    const answers = reply.parts.map(({ start, end }) => decoder.decode(reply.bytes, start, end, limits))
    expect(JSON.stringify(answers).match(/"seen":\d/g)).toEqual(['"seen":1', '"seen":1'])
  })

  it('ends with the reason of an abort', async () => {
    const { slot, modules, limits } = await createBareSlot('export const transformEvent = (event) => event')
    const options = { isolation: 'batch', eager: false, timeMs: 1_000, usesMetadata: false, singly: false } as const
    const inputs = [{ event: {}, metadata: {} }]
    const encoded = encodeBatch(binaryCrossing.createEncoder(), inputs, { ...options, room: outputRoom(limits, 1) })
    const stopped = AbortSignal.abort(new Error('stopped'))
    await expect(runBatch(encoded.request, modules, slot, limits, stopped)).rejects.toThrow('stopped')
  })
})
