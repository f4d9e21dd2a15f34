import { describe, expect, it } from 'vitest'
import { deletionReportEnd } from './deletion-report.ts'

describe('the last line of a report of deletions', () => {
  const regulation = {
    id: 'r1',
    regulationType: 'suppress_with_delete',
    canceled: false,
    createdAt: '',
    attributes: {},
  }
  const reportOf = (isOver: boolean, ...statuses: readonly string[]) => ({
    isOver,
    regulations: [
      {
        regulation,
        isOver,
        data: statuses.map((status) => ({ destination: 'd', status, attempts: 1, updatedAt: '' })),
      },
    ],
  })

  it.each([
    [reportOf(false, 'complete', 'pending', 'aborted'), 'not complete yet'],
    [reportOf(true, 'complete', 'complete'), 'complete: nothing more will be done'],
    [reportOf(true), 'complete: nothing more will be done'],
    [reportOf(true, 'complete', 'aborted'), 'over: nothing more will be done, and 1 of 2 deletions were aborted'],
  ])('calls nothing complete that was aborted', (report, line) => {
    expect(deletionReportEnd(report)).toBe(line)
  })
})
