import { describe, expect, it } from 'vitest'
import { wholeBatch } from '../vm/guest/prelude.ts'
import { HeapGrowth } from './heap-growth.ts'

const limits = { memoryBytes: 4_000 }

describe('growth of the heap', () => {
  it('makes an event pay for exhausted memory if it used more than a quarter of it by itself', () => {
    const growth = new HeapGrowth(limits, false)
    growth.begin({ grownBytes: 2_500 })
    expect(growth.pays(0, 3_500)).toBe(false)
    expect(growth.pays(0, 3_501)).toBe(true)
  })

  it('makes an event pay that runs again, and the single call for a batch, however little it used', () => {
    const repeated = new HeapGrowth(limits, true)
    repeated.begin({ grownBytes: 3_999 })
    expect(repeated.pays(0, 4_000)).toBe(true)
    const whole = new HeapGrowth(limits, false)
    whole.begin({ grownBytes: 3_999 })
    expect(whole.pays(wholeBatch, 4_000)).toBe(true)
  })

  it('gives fresh memory to events that run again and have filled a quarter, and to no others', () => {
    expect(new HeapGrowth(limits, true).isLargeAgain({ grownBytes: 1_001 })).toBe(true)
    expect(new HeapGrowth(limits, true).isLargeAgain({ grownBytes: 1_000 })).toBe(false)
    expect(new HeapGrowth(limits, true).isLargeAgain(undefined)).toBe(false)
    expect(new HeapGrowth(limits, false).isLargeAgain({ grownBytes: 4_000 })).toBe(false)
  })
})
