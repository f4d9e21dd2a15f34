import { describe, expect, it } from 'vitest'
import { BatchLog } from './batch-log.ts'

describe('the log of a batch', () => {
  it('accepts lines up to a limit, counting 16 bytes per line beside its text, and reports once that it is cut', () => {
    const log = new BatchLog(40)
    log.add(['é', 'b'])
    log.add(['third', 'fourth'])
    log.add(['fifth'])
    expect(log.lines).toEqual(['é', 'b', '[log limit reached]'])
    expect(log.isFull).toBe(true)
  })
  it('accepts as many lines as a guest may write', () => {
    const log = new BatchLog(10_000_000)
    log.add(Array.from({ length: 300_000 }, () => ''))
    expect(log.lines).toHaveLength(300_000)
  })
  it('returns to an earlier state', () => {
    const log = new BatchLog(40)
    log.add(['kept'])
    const mark = log.mark()
    log.add(['x'.repeat(100)])
    log.backTo(mark)
    log.add(['y'])
    expect(log.lines).toEqual(['kept', 'y'])
  })
})
