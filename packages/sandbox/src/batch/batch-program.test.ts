import { describe, expect, it } from 'vitest'
import type { GuestApi } from '../guest-api.ts'
import type { Isolation } from '../vm/batch-request.ts'
import type { OpenProgram } from '../vm/machine-slot.ts'
import { createBareSlot } from './bare-slot.ts'
import { BatchProgram } from './batch-program.ts'
import { RunningTime } from './running-time.ts'

const live = new AbortController().signal
const identity = 'export const transformEvent = (event) => event'

async function openBatch(code: string, isolation: Isolation = 'batch', api?: GuestApi) {
  const bare = await createBareSlot(code, api && { api })
  const newProgram = () => {
    const time = new RunningTime(1_000, live, () => {})
    return new BatchProgram({ ...bare, isolation, credentials: { key: 'k1' }, time })
  }
  return { ...bare, newProgram }
}

async function mustOpen(program: BatchProgram): Promise<OpenProgram> {
  const opened = await program.opened()
  if ('code' in opened) throw new Error(opened.message)
  return opened
}

describe('the program of a batch', () => {
  it('is loaded once: later batches open it without waiting', async () => {
    const { newProgram } = await openBatch(identity)
    const first = newProgram()
    expect(first.openedNow()).toBe(undefined)
    const opened = await mustOpen(first)
    expect(first.open).toBe(opened)
    first.close(false)
    expect(newProgram().openedNow()?.program).toBe(opened.program)
  })

  it('is the reason why a batch fails when it cannot be loaded', async () => {
    const { newProgram } = await openBatch('export const transformEvent =')
    const program = newProgram()
    expect(await program.opened()).toMatchObject({ code: 'transform.load' })
    expect(program.open).toBe(undefined)
    expect(() => program.mustBeOpen()).toThrow('not open')
  })

  it('has the credentials of its batch only while it is open', async () => {
    const { newProgram } = await openBatch(identity)
    const program = newProgram()
    const { machine } = await mustOpen(program)
    expect(machine.calls.context).toEqual({ credentials: { key: 'k1' } })
    program.restore()
    expect(program.open).toBe(undefined)
    expect(machine.calls.context).toEqual({})
  })

  it('forgets which event is next when it is entered again', async () => {
    const { newProgram } = await openBatch(identity)
    const program = newProgram()
    await mustOpen(program)
    program.position = 3
    program.restore()
    await mustOpen(program)
    expect(program.position).toBe(undefined)
  })

  it('gets another machine after its machine was discarded', async () => {
    const { newProgram } = await openBatch(identity)
    const program = newProgram()
    const { machine } = await mustOpen(program)
    program.discard()
    expect(program.openedNow()).toBe(undefined)
    expect((await mustOpen(program)).machine).not.toBe(machine)
  })

  it('counts its host calls, restored or not, without those of earlier batches', async () => {
    const api: GuestApi = {
      modules: {},
      globals: 'globalThis.ping = ((call) => () => call("ping"))(callHost)',
      syncCalls: { ping: () => null },
      asyncCalls: {},
    }
    const code = 'export const transformBatch = (events) => { ping(); ping(); return events }'
    for (const isolation of ['batch', 'none'] as const) {
      const { newProgram } = await openBatch(code, isolation, api)
      for (let i = 0; i < 2; i += 1) {
        const program = newProgram()
        const { machine } = await mustOpen(program)
        expect(program.hasCalledHost).toBe(false)
        expect(machine.runGathered(-1, 1_000)).toBe('done')
        expect(program.hasCalledHost).toBe(true)
        program.close(false)
        expect(program.hostCalls).toBe(2)
      }
    }
  })
})
