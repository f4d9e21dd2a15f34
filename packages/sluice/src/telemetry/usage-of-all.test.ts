import { expect, it } from 'vitest'
import { budgetSamples } from './samples/budget-samples.ts'
import { joinSamples } from './samples/join-samples.ts'
import { usageOfAll } from './usage-of-all.ts'

it('adds what each process uses of its memory, and takes the budgets of the store once', () => {
  const bodies = (used: number) => ({ budget: 'bodies', unit: 'bytes', used, limit: 100, reserved: 50 }) as const
  const log = { budget: 'log', unit: 'bytes', used: 9 } as const
  const joined = joinSamples([
    [...budgetSamples('w', [bodies(3)]), ...budgetSamples('v', [bodies(70)])],
    budgetSamples('w', [bodies(4)]),
  ])
  expect(usageOfAll([bodies(4), log], joined, 'w')).toEqual([
    { budget: 'bodies', unit: 'bytes', used: 7, limit: 200, reserved: 100 },
    log,
  ])
})
