import { describe, expect, it } from 'vitest'
import { ProcessorClock } from './processor-clock.ts'

/** A thread whose processor another one may take. */
function thread() {
  const time = { wall: 1_000, cpu: 40, looks: 0 }
  const cpuNow = (): number => {
    time.looks += 1
    return time.cpu
  }
  const clock = new ProcessorClock(cpuNow, () => time.wall)
  return {
    clock,
    time,
    runs: (ms: number) => {
      time.wall += ms
      time.cpu += ms
    },
    waits: (ms: number) => {
      time.wall += ms
    },
  }
}

describe('the clock of a thread', () => {
  it('leaves out the time without a processor, once a limit seems to be reached', () => {
    const { clock, runs, waits } = thread()
    const start = clock.start()
    runs(30)
    waits(500)
    runs(10)
    expect(clock.now() - start).toBe(540)
    clock.settle()
    expect(clock.now() - start).toBe(40)
    runs(5)
    clock.settle()
    expect(clock.now() - start).toBe(45)
  })

  it('leaves nothing out of code that runs all the time', () => {
    const { clock, runs } = thread()
    const start = clock.start()
    runs(100)
    clock.settle()
    expect(clock.now() - start).toBe(100)
  })

  it('gives no more than 10 ms for the time in which the thread had nothing to do before', () => {
    const { clock, runs, waits } = thread()
    waits(9)
    const start = clock.start()
    runs(50)
    clock.settle()
    expect(clock.now() - start).toBe(41)
    waits(1_000)
    const next = clock.start()
    runs(50)
    clock.settle()
    expect(clock.now() - next).toBe(50)
  })

  it('looks at the processor time rarely', () => {
    const { clock, runs, time } = thread()
    for (let events = 0; events < 1_000; events += 1) {
      clock.start()
      runs(0.05)
      clock.now()
    }
    expect(time.looks).toBeLessThan(10)
  })
})
