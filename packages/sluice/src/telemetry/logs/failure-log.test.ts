import { createManualClock, InvariantError } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { createFailureLog } from './failure-log.ts'

function scene() {
  const lines: Record<string, unknown>[] = []
  const note = (fields: object): void => void lines.push({ ...fields })
  const clock = createManualClock(1_000)
  const log = createFailureLog({ debug: note, info: note, warn: note, error: note }, clock)
  return { lines, clock, log }
}

const refused = (port: number) =>
  Object.assign(new Error(`connect ECONNREFUSED 10.0.0.1:${port}`), { code: 'ECONNREFUSED' })

describe('the log of failures that are survived', () => {
  it('has one line for a problem and minute, without a stack, and with how often it came meanwhile', () => {
    const { lines, clock, log } = scene()
    for (let n = 0; n < 50; n += 1) log(refused(40_000 + n))
    log(new Error('another problem'))
    expect(lines).toEqual([
      { error: { type: 'Error', code: 'ECONNREFUSED', message: 'connect ECONNREFUSED 10.0.0.1:40000' } },
      { error: { type: 'Error', message: 'another problem' } },
    ])
    clock.advance(60_000)
    log(refused(1))
    expect(lines[2]).toMatchObject({ repeats: 49 })
    clock.advance(60_000)
    log(refused(2))
    expect(lines[3]).toMatchObject({ repeats: undefined })
  })

  it('has one line for a stage that breaks again and again because the database is gone', () => {
    const { lines, log } = scene()
    for (let n = 0; n < 9; n += 1)
      log(new InvariantError('stage suppress is broken: connect ECONNREFUSED', { cause: refused(n) }))
    // What was logged without a stage is the same problem.
    log(refused(5))
    expect(lines).toEqual([
      { error: { type: 'Error', code: 'ECONNREFUSED', message: 'connect ECONNREFUSED 10.0.0.1:0' } },
    ])
    log(new InvariantError('stage suppress is broken: x is undefined', { cause: new TypeError('x is undefined') }))
    expect(lines[1]).toMatchObject({ error: { type: 'InvariantError', stack: expect.any(String) } })
  })

  it('has each fault of the program, and where it happened', () => {
    const { lines, log } = scene()
    for (let n = 0; n < 3; n += 1) log(new TypeError('x is undefined'))
    log(new InvariantError('this cannot be'))
    log('a text')
    expect(lines).toHaveLength(5)
    for (const line of lines.slice(0, 4))
      expect(line['error']).toMatchObject({ stack: expect.stringContaining('failure-log.test') })
  })

  it('remembers a bounded number of problems', () => {
    const { lines, log } = scene()
    const name = (n: number): string => [...String(n)].map((digit) => 'abcdefghij'[Number(digit)]).join('x')
    for (let n = 0; n < 1_000; n += 1) log(new Error(name(n)))
    log(new Error(name(0)))
    log(new Error(name(999)))
    expect(lines).toHaveLength(1_001)
  })
})
