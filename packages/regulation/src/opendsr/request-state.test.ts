import { describe, expect, it } from 'vitest'
import type { DeletionJob, DeletionStatus } from '../deletion/deletion-job.ts'
import type { Regulation } from '../regulation.ts'
import { reportOf, requestState } from './request-state.ts'
import type { SubjectRequest } from './subject-request.ts'

const request: SubjectRequest = {
  workspaceId: 'w',
  id: 'i',
  type: 'erasure',
  digest: 'd',
  receivedAt: 1_000,
  address: 'https://dsr.test',
  regulationIds: ['r'],
  callbacks: [],
  callbacksFailed: 0,
}
const regulation = (canceled = false, id = 'r'): Regulation => ({
  id,
  workspaceId: 'w',
  canceled,
  regulationType: 'suppress_with_delete',
  attributes: { userId: 'u' },
  sourceIds: [],
  destinationIds: [],
  createdAt: '',
})
const job = (status: DeletionStatus, index: number): DeletionJob => ({
  id: `j${index}`,
  workspaceId: 'w',
  regulationId: 'r',
  destinationId: String(index),
  attributes: { userId: 'u' },
  status,
  attempts: 0,
  dueAt: 0,
  updatedAt: 2_000 + index,
})

describe('the status of an erasure', () => {
  const cases: readonly (readonly [readonly DeletionStatus[], string, string, boolean])[] = [
    [[], 'pending', 'pending', false],
    [['pending', 'pending'], 'pending', 'pending', false],
    [['running', 'pending'], 'in_progress', 'in_progress', false],
    [['failed', 'complete'], 'in_progress', 'in_progress', false],
    [['complete', 'complete'], 'completed', 'completed', true],
    // OpenDSR has no word for it, and completed would be a lie.
    [['complete', 'aborted'], 'in_progress', 'incomplete', true],
  ]
  for (const [statuses, status, report, isOver] of cases)
    it(`is ${status} with deletions that are ${statuses.join(', ') || 'not there yet'}`, () => {
      const state = requestState(request, [regulation()], statuses.map(job))
      expect([state.status, reportOf(state), state.isOver, state.hasResults]).toEqual([status, report, isOver, isOver])
      expect(state.expectedAt).toBe(isOver ? 2_001 : 1_000 + 48 * 3_600_000)
    })

  it('is cancelled with its regulation, whatever was deleted', () => {
    const jobs = (['complete', 'running'] as const).map(job)
    expect(requestState(request, [regulation(true)], jobs)).toMatchObject({ status: 'cancelled', isOver: true })
  })

  it('is pending while a store that was restored lacks the regulation', () => {
    expect(requestState(request, [], [])).toMatchObject({ status: 'pending', isOver: false })
  })

  describe('with two regulations', () => {
    const both = { ...request, regulationIds: ['r', 's'] }
    const of = (regulationId: string, statuses: readonly DeletionStatus[]) =>
      statuses.map((status, index) => ({ ...job(status, index), regulationId }))
    const stateWith = (first: readonly DeletionStatus[], second: readonly DeletionStatus[], ...canceled: boolean[]) =>
      requestState(
        both,
        ['r', 's'].map((id, index) => regulation(canceled[index], id)),
        [...of('r', first), ...of('s', second)],
      )

    it('is completed when the deletions of both are', () => {
      expect(stateWith(['complete'], ['complete'])).toMatchObject({
        status: 'completed',
        isOver: true,
        deletions: { total: 2, complete: 2 },
      })
      expect(stateWith(['complete'], ['pending'])).toMatchObject({ status: 'in_progress', isOver: false })
      expect(stateWith(['complete'], ['aborted'])).toMatchObject({ status: 'in_progress', isOver: true })
    })

    it('is not over while a store that was restored lacks one', () => {
      expect(requestState(both, [regulation()], of('r', ['complete']))).toMatchObject({
        status: 'in_progress',
        isOver: false,
      })
    })

    it('is cancelled when both are', () => {
      expect(stateWith(['pending'], ['pending'], true, false)).toMatchObject({ status: 'pending', isOver: false })
      expect(stateWith(['pending'], ['pending'], true, true)).toMatchObject({ status: 'cancelled', isOver: true })
    })
  })
})
