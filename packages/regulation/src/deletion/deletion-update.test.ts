import { describe, expect, it } from 'vitest'
import { postponed } from './deletion-update.ts'

/** An id says when its job was made, here at 0. */
const job = {
  id: '00000000-0000-7000-8000-000000000000',
  workspaceId: 'shop',
  regulationId: 'r',
  destinationId: 'crm',
  attributes: { userId: 'u1' },
  status: 'running',
  attempts: 2,
  dueAt: 0,
  updatedAt: 0,
} as const

describe('a deletion whose turn did not begin', () => {
  it.each([
    [0, 5],
    [10, 5],
    [100, 25],
    [239, 60],
    [100_000, 60],
  ])('is tried again, %s seconds after it was ordered, in %s seconds, and no attempt counts', (age, seconds) => {
    const now = age * 1_000
    const { dueAt, attempts } = postponed(job, now)
    expect([Math.round((dueAt - now) / 1_000), attempts]).toEqual([seconds, 2])
  })
})
