import { describe, expect, it } from 'vitest'
import { MinuteMeasures } from './minute-measures.ts'

describe('measures of a minute', () => {
  it('are given once, by source and destination', () => {
    const measures = new MinuteMeasures()
    measures.received('w', 's', 10)
    measures.received('w', 's', 5)
    measures.received('w', 's', 0)
    measures.received('v', 's', 1)
    measures.delays('w', 'd', 'deliveryMs').record(40)
    for (const events of [1, 2]) measures.retried('w', 's', 'd', events)
    const row = { workspaceId: 'w', sourceId: 's', destinationId: '', kind: 'bytes', reason: '', count: 15 }
    expect(measures.take()).toEqual([
      row,
      { ...row, workspaceId: 'v', count: 1 },
      { ...row, destinationId: 'd', kind: 'retried', count: 3 },
      { ...row, sourceId: '', destinationId: 'd', kind: 'deliveryMs', reason: '50', count: 1 },
    ])
    expect(measures.take()).toEqual([])
  })

  it('count twenty statuses of a destination each, and further ones by their class', () => {
    const measures = new MinuteMeasures()
    for (let status = 400; status < 425; status += 1) measures.answered('w', 'd', status, 3)
    measures.answered('w', 'd', 400, 3)
    measures.answered('w', 'd', 'network', 30_000)
    const answered = measures
      .take()
      .flatMap(({ kind, reason, count }) => (kind === 'answered' ? [[reason, count]] : []))
    expect(answered).toHaveLength(22)
    expect(Object.fromEntries(answered)).toMatchObject({ 400: 2, 419: 1, '4xx': 5, network: 1 })
  })

  it('have times of answers only where there was an answer', () => {
    const measures = new MinuteMeasures()
    measures.answered('w', 'd', 'network', 30_000)
    measures.answered('w', 'd', 200, 8)
    expect(measures.take().filter(({ kind }) => kind === 'answerMs')).toEqual([
      { workspaceId: 'w', sourceId: '', destinationId: 'd', kind: 'answerMs', reason: '10', count: 1 },
    ])
  })
})
