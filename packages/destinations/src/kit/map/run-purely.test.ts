import { describe, expect, it } from 'vitest'
import { runPurely } from './run-purely.ts'

describe('runPurely', () => {
  const impurities: readonly (() => unknown)[] = [
    () => Date.now(),
    () => new Date(),
    () => Math.random(),
    () => fetch('http://hook.test'),
  ]
  for (const impure of impurities) {
    it(`catches ${impure.toString().slice(6)}`, () => expect(() => runPurely(impure)).toThrow('not pure'))
  }

  it('allows parsing dates, and restores everything', () => {
    expect(runPurely(() => new Date('2024-01-01').getTime() - Date.parse('2024-01-01'))).toBe(0)
    expect(() => runPurely(() => Date.now())).toThrow()
    expect([Date.now(), Math.random()].every(Number.isFinite)).toBe(true)
  })
})
