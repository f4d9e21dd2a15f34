import { describe, expect, it } from 'vitest'
import type { History } from '../../destinations/health/history.ts'
import type { Version } from '../transformation.ts'
import { failedDuring, isOfCode, type VersionChange, versionSteps } from './version-steps.ts'

const timeOf = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString()
const version = (number: number, minute: number): Version => ({
  versionId: `id-${number}`,
  number,
  name: 'mask orders',
  code: '',
  createdAt: timeOf(minute),
  updatedAt: timeOf(minute),
})
const change = (id: number, minute: number, kind: string, number: number, who = 'ann'): VersionChange => ({
  id,
  at: timeOf(minute),
  who,
  kind,
  ref: `id-${number}`,
})
const [v3, v2, v1] = [version(3, 30), version(2, 20), version(1, 10)]

describe('the history of a transformation', () => {
  it('has a step for each publication, which ends when the next one begins', () => {
    const steps = versionSteps([v2, v1], [change(2, 25, 'published', 2), change(1, 15, 'published', 1)])
    expect(steps).toEqual([
      { key: 'change 2', version: v2, at: timeOf(25), who: 'ann', kind: 'published' },
      { key: 'change 1', version: v1, at: timeOf(15), who: 'ann', kind: 'published', until: timeOf(25) },
    ])
  })

  it('has a version twice that went live again', () => {
    const changes = [
      change(3, 35, 'rolledBack', 1, 'ben'),
      change(2, 25, 'published', 2),
      change(1, 15, 'published', 1),
    ]
    const steps = versionSteps([v2, v1], changes)
    expect(steps.map(({ version: { number }, kind, who }) => [number, kind, who])).toEqual([
      [1, 'rolledBack', 'ben'],
      [2, 'published', 'ann'],
      [1, 'published', 'ann'],
    ])
  })

  it('says who saved a version that never was live, and when', () => {
    const steps = versionSteps([v3, v1], [change(2, 30, 'saved', 3, 'ben'), change(1, 15, 'published', 1)])
    expect(steps[0]).toEqual({ key: 'id-3', version: v3, at: timeOf(30), who: 'ben', kind: 'saved' })
  })

  it('takes who created the transformation for who saved its first version', () => {
    const created = { id: 1, at: timeOf(10), who: 'ann', kind: 'created' }
    expect(versionSteps([v2, v1], [created])).toMatchObject([
      { version: v2, kind: 'saved' },
      { version: v1, kind: 'saved', who: 'ann' },
    ])
    expect(versionSteps([v2, v1], [created])[0]).not.toHaveProperty('who')
  })

  it('leaves out publications of versions that are not listed', () => {
    expect(versionSteps([v2], [change(1, 15, 'published', 1)])).toMatchObject([{ version: v2, kind: 'saved' }])
  })
})

describe('events that failed while a version was live', () => {
  const history: History = {
    workspaceId: 'main',
    slots: { from: Date.parse(timeOf(0)), everyMs: 60_000, count: 60 },
    series: [
      { destinationId: 'hook', kind: 'failed', reason: 'transform.threw', counts: Array(60).fill(1), total: 60 },
      { destinationId: 'other', kind: 'failed', reason: 'transform.threw', counts: Array(60).fill(1), total: 60 },
      { destinationId: 'hook', kind: 'failed', reason: 'deliver.rejected', counts: Array(60).fill(1), total: 60 },
    ],
    delays: [],
    oldestWaiting: [],
  }
  const step = { key: '', version: v1, kind: 'published' } as const
  const hook = new Set(['hook'])

  it('are those of its minutes, in code, at its destinations', () => {
    expect(failedDuring({ ...step, at: timeOf(10), until: timeOf(15) }, hook, history)).toBe(5)
  })

  it('are counted until now for the one that is live', () => {
    expect(failedDuring({ ...step, at: timeOf(50) }, hook, history)).toBe(10)
  })

  it('are not known where it was live before the history begins', () => {
    expect(failedDuring({ ...step, at: timeOf(-30), until: timeOf(-20) }, hook, history)).toBeUndefined()
  })

  it('do not count those that the destination refused', () => {
    expect(isOfCode({ kind: 'failed', reason: 'transform.timeout' })).toBe(true)
    expect(isOfCode({ kind: 'failed', reason: 'deliver.rejected' })).toBe(false)
    expect(isOfCode({ kind: 'dropped', reason: 'transform.threw' })).toBe(false)
  })
})
