import { createManualClock } from '@sluice/core'
import { expect, it } from 'vitest'
import { createHourlyQuota } from './hourly-quota.ts'

const hourMs = 3_600_000

it('takes an amount wholly or not at all', () => {
  const quota = createHourlyQuota(10, createManualClock())
  expect(quota.take('w', 7)).toBeDefined()
  expect(quota.take('w', 4)).toBeUndefined()
  expect(quota.take('w', 3)).toBeDefined()
  expect(quota.take('w', 1)).toBeUndefined()
  expect(quota.take('w', 0)).toBeDefined()
})

it('refuses an amount above the limit even when nothing is used', () => {
  expect(createHourlyQuota(10, createManualClock()).take('w', 11)).toBeUndefined()
})

it('gives each workspace its own limit', () => {
  const quota = createHourlyQuota(10, createManualClock())
  quota.take('a', 10)
  expect(quota.take('b', 10)).toBeDefined()
})

it('begins again an hour after the first amount, not after the last', () => {
  const clock = createManualClock()
  const quota = createHourlyQuota(10, clock)
  quota.take('w', 1)
  clock.advance(hourMs - 1)
  quota.take('w', 9)
  expect(quota.take('w', 1)).toBeUndefined()
  clock.advance(1)
  expect(quota.take('w', 10)).toBeDefined()
})

it('can use a returned amount again, but not in a later hour', () => {
  const clock = createManualClock()
  const quota = createHourlyQuota(10, clock)
  quota.take('w', 10)?.()
  const giveBack = quota.take('w', 10)
  clock.advance(hourMs)
  quota.take('w', 10)
  giveBack?.()
  expect(quota.take('w', 1)).toBeUndefined()
})
