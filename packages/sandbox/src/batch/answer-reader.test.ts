import { describe, expect, it } from 'vitest'
import { binaryCrossing } from '../crossing/binary-crossing.ts'
import { outputRoom } from '../vm/output-gauge.ts'
import { AnswerReader } from './answer-reader.ts'
import { createBareSlot } from './bare-slot.ts'
import { BatchProgram } from './batch-program.ts'
import { HeapGrowth } from './heap-growth.ts'
import { answersOfGroup } from './on-enter.ts'
import { ReplyBuilder } from './reply-builder.ts'
import { RunningTime } from './running-time.ts'

const live = new AbortController().signal

/** Runs a program for some events, and returns what reads their answers. */
async function runEvents(code: string, count: number, isEager = false) {
  const { slot, modules, limits } = await createBareSlot(code)
  const seen: number[] = []
  const time = new RunningTime(1_000, live, (whose) => seen.push(whose))
  const program = new BatchProgram({ slot, modules, isolation: 'batch', credentials: {}, limits, time })
  const opened = await program.opened()
  if ('code' in opened) throw new Error(opened.message)
  const { machine } = opened
  const gauge = slot.newGauge(outputRoom(limits, count), count)
  const reply = new ReplyBuilder()
  const reader = new AnswerReader(
    { program, time, limits, gauge, growth: new HeapGrowth(limits, false), reply },
    isEager,
  )
  const encoder = binaryCrossing.createEncoder()
  encoder.append([null, ...Array.from({ length: count }, (_, n) => ({ n }))])
  machine.begin(encoder.take(), { first: 0, count }, 0)
  for (let index = 0; index < count; index += 1) machine.next(index, 1_000)
  const build = () => reply.build({ spentMs: 0, hostCalls: 0 })
  return { machine, reader, build, seen }
}

const identity = 'export const transformEvent = (event) => event'

describe('answers of a batch', () => {
  it('are read together, and announced as code of any of their events', async () => {
    const { reader, build, seen } = await runEvents(identity, 3)
    expect(reader.read()).toBe(false)
    expect(seen.at(-1)).toBe(answersOfGroup)
    expect(build()).toMatchObject({ parts: [{ indexes: [0, 1, 2], isList: true }], failures: [], again: [] })
  })

  it('are read one by one when they are read eagerly', async () => {
    const { reader, build } = await runEvents(identity, 3, true)
    reader.read()
    expect(build().parts).toMatchObject([0, 1, 2].map((index) => ({ indexes: [index], isList: false })))
  })

  it('are due in groups of 64, earlier when the heap has grown by more than 2 MiB, always when read eagerly', async () => {
    const { reader } = await runEvents(identity, 1)
    const held = (count: number) => Array.from({ length: count }, (_, index) => index)
    expect(reader.isDue({ held: held(63), grownBytes: 2 * 1024 * 1024 })).toBe(false)
    expect(reader.isDue({ held: held(64), grownBytes: 0 })).toBe(true)
    expect(reader.isDue({ held: held(1), grownBytes: 2 * 1024 * 1024 + 1 })).toBe(true)
    reader.isEager = true
    expect(reader.isDue({ held: held(1), grownBytes: 0 })).toBe(true)
  })

  it('that are read already are not read twice', async () => {
    const { reader, build } = await runEvents(identity, 2)
    reader.read()
    expect(reader.read()).toBe(false)
    expect(build().parts).toHaveLength(1)
  })

  it('that exceed a limit fail only their own event, which keeps its log', async () => {
    const code = "export const transformEvent = ({ n }) => (log(n), { text: n === 1 ? 'x'.repeat(5_000_000) : '' })"
    const { reader, build } = await runEvents(code, 3)
    reader.read()
    const { parts, failures, again } = build()
    expect(parts.map(({ indexes }) => indexes)).toEqual([[0], [1], [2]])
    expect(parts[1]?.weight).toBeLessThan(100)
    expect(failures).toMatchObject([{ index: 1, error: { code: 'transform.output' } }])
    expect(again).toEqual([])
  })

  it('leave the log of an event without an answer, which is read by itself', async () => {
    const code = "export async function transformEvent() { log('late'); await new Promise(() => {}) }"
    const { reader, build } = await runEvents(code, 1)
    expect(reader.read()).toBe(false)
    reader.readLog(0)
    expect(Buffer.from(build().bytes).toString('latin1')).toContain('late')
  })
})
