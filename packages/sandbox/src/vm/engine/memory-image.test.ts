import { createSeededRandom, systemClock } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { createModuleSet } from '../../code/module-set.ts'
import { binaryCrossing } from '../../crossing/binary-crossing.ts'
import { noGuestApi } from '../../guest-api.ts'
import { completeLimits } from '../../sandbox-limits.ts'
import { OutputGauge, outputRoom } from '../output-gauge.ts'
import { QuickJsMachine, type QuickJsProgram } from '../quickjs-machine.ts'
import { createEngine, type Engine, engineBuild } from './engine.ts'

const build = await engineBuild()
const limits = completeLimits({})
const parts = {
  build,
  crossing: binaryCrossing,
  limits,
  clock: systemClock,
  random: createSeededRandom(1),
  api: noGuestApi,
}

async function newMachine(): Promise<{ engine: Engine; machine: QuickJsMachine }> {
  const engine = await createEngine(build, limits.memoryBytes)
  return { engine, machine: new QuickJsMachine(parts, engine) }
}

function loaded(machine: QuickJsMachine, code: string): QuickJsProgram {
  const program = machine.load(createModuleSet({ name: 't', code, libraries: [] }), 1_000)
  if ('code' in program) throw new Error(program.message)
  return program
}

const encoder = binaryCrossing.createEncoder()
const decoder = binaryCrossing.createDecoder()

/** Runs one event and returns the guest's answer. */
function run(machine: QuickJsMachine, event: unknown): unknown {
  encoder.append([null, event])
  expect(machine.begin(encoder.take(), { first: 0, count: 1 }, 0)).toBe('done')
  expect(machine.next(0, 1_000)).toBe('done')
  const gauge = new OutputGauge(binaryCrossing.createMeter(), limits, outputRoom(limits, 1), 1)
  const taking = { singly: false, timeMs: 1_000, gauge, unread: () => {}, refused: () => {} }
  const [answer] = machine.flush(taking).answers ?? []
  const decoded =
    answer && decoder.decode(answer.bytes, 0, answer.bytes.length, { depthMax: 9, valuesMax: 999, charsMax: 9_999 })
  return decoded?.ok && Array.isArray(decoded.value) ? decoded.value[0].slice(3) : decoded
}

const secret = 'top secret 4711'
const places = (engine: Engine): number =>
  ['latin1', 'utf16le'].filter((encoding) =>
    Buffer.from(engine.bytes().buffer).includes(Buffer.from(secret, encoding as BufferEncoding)),
  ).length

describe('a restored memory image', () => {
  it('removes everything written since from the whole memory, including grown memory and the stack', async () => {
    const { engine, machine } = await newMachine()
    const program = loaded(
      machine,
      `const bytes = new Uint8Array(65536)
       const kept = []
       export function transformEvent(event) {
         for (let i = 0; i < 200; i++) {
           for (let j = 0; j < event.text.length; j++) bytes[i * 300 + j] = event.text.charCodeAt(j)
           kept.push(event.text + i, event.text.split('').join('\u4e2d'), /(.*)x?/.exec(event.text + 'y'), new Uint8Array(40000).fill(9))
         }
         return { text: JSON.stringify(kept.slice(0, 9)), again: encodeURIComponent(event.text) }
       }`,
    )
    machine.enter(program)
    const before = engine.bytes().slice()
    run(machine, { text: secret })
    expect(places(engine)).toBeGreaterThan(0)
    expect(engine.bytes().length).toBeGreaterThan(before.length)
    machine.leave()
    expect(places(engine)).toBe(0)
    // Grown memory is all zero again. Below it, only the unused part of the stack is not compared.
    expect(
      engine
        .bytes()
        .subarray(before.length)
        .every((byte) => byte === 0),
    ).toBe(true)
    const { stackStart, stackEnd } = engine.layout
    expect(Buffer.compare(engine.bytes().subarray(0, stackStart), before.subarray(0, stackStart))).toBe(0)
    expect(Buffer.compare(engine.bytes().subarray(stackEnd, before.length), before.subarray(stackEnd))).toBe(0)
  })
  it('is the same after any number of restores, in pieces and joined', async () => {
    const { engine, machine } = await newMachine()
    const program = loaded(
      machine,
      `const zeros = new Uint8Array(200000), small = new Uint8Array(20000), list = ['one']
       export function transformEvent({ text }) {
         const before = [zeros[150000], small[10000], list.length]
         zeros.fill(7); small.fill(7); list.push(text)
         return { before }
       }`,
    )
    machine.enter(program)
    const { stackStart, stackEnd } = engine.layout
    const before = engine.bytes().slice()
    for (let turn = 0; turn < 20; turn += 1) {
      machine.enter(program)
      expect(run(machine, { text: secret + turn })).toEqual([{ before: [0, 0, 1] }])
      machine.leave()
      expect(places(engine)).toBe(0)
      const now = engine.bytes()
      expect(Buffer.compare(now.subarray(0, stackStart), before.subarray(0, stackStart))).toBe(0)
      expect(Buffer.compare(now.subarray(stackEnd, before.length), before.subarray(stackEnd))).toBe(0)
    }
  })
  it('is complete after other programs used the same instance', async () => {
    const { machine } = await newMachine()
    const programs = ['a', 'b'].map((name) =>
      loaded(machine, `let calls = 0; export const transformEvent = () => ({ name: '${name}', calls: (calls += 1) })`),
    )
    for (let turn = 0; turn < 40; turn += 1) {
      const place = turn % 25 === 24 ? 1 : 0
      machine.enter(programs[place] ?? (programs[0] as QuickJsProgram))
      expect(run(machine, {})).toEqual([{ name: place === 1 ? 'b' : 'a', calls: 1 }])
      machine.leave()
    }
  })
  it('includes pages that were all zero', async () => {
    const { machine } = await newMachine()
    const program = loaded(
      machine,
      `const seen = new Uint8Array(65536)
       export const transformEvent = ({ n }) => { const before = seen[n]; seen[n] = 1; return { before } }`,
    )
    for (const n of [30_000, 30_000, 30_000]) {
      machine.enter(program)
      expect(run(machine, { n })).toEqual([{ before: 0 }])
    }
  })
  it('can be one of many in one instance, in any order', async () => {
    const { machine } = await newMachine()
    const programs = Array.from({ length: 60 }, (_, i) =>
      loaded(
        machine,
        `const list = Array.from({ length: ${i * 7} }, (_, n) => n + ${i}); let calls = 0
         export const transformEvent = () => ({ i: ${i}, sum: list.reduce((a, b) => a + b, 0), calls: (calls += 1) })`,
      ),
    )
    const sum = (i: number): number => Array.from({ length: i * 7 }, (_, n) => n + i).reduce((a, b) => a + b, 0)
    for (let turn = 0; turn < 600; turn += 1) {
      const i = (turn * 37) % 60
      machine.enter(programs[i] ?? (programs[0] as QuickJsProgram))
      expect(run(machine, {})).toEqual([{ i, sum: sum(i), calls: 1 }])
    }
    for (const { image } of programs) expect(image.byteLength).toBeLessThan(200_000)
  })
  it('is refused when the heap end was overwritten, and the machine counts as broken', async () => {
    const { engine, machine } = await newMachine()
    const program = loaded(machine, 'export const transformEvent = (event) => event')
    machine.enter(program)
    run(machine, {})
    new DataView(engine.bytes().buffer).setUint32(engine.layout.heapEndAt, 0x7fff_fff0, true)
    expect(machine.enter(program)).toBe(false)
    expect(machine.broken).toBe(true)
  })
})
