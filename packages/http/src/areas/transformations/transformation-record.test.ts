import type { Destination, Workspace } from '@sluice/core'
import type { CodeRecord, CodeTest, CodeVersion, VersionedCode } from '@sluice/transformations'
import { describe, expect, it } from 'vitest'
import { libraryVersion, testResult, transformationRecord } from './transformation-record.ts'

const destination = (id: string, enabled = true): Destination => {
  return { id, name: `name of ${id}`, type: 'WEBHOOK', enabled, settings: { secret: 'pw' } }
}
const workspace: Workspace = {
  id: 'w',
  name: 'w',
  sources: [],
  destinations: [destination('d1'), destination('d2', false), destination('d3')],
  connections: [],
  accessTokens: [],
}

function codeOf(record: Partial<CodeRecord> = {}, version: Partial<CodeVersion> = {}): VersionedCode {
  return {
    record: {
      kind: 'transformation',
      id: 't',
      workspaceId: 'w',
      importName: '',
      newestVersionId: 'v2',
      publishedVersionId: 'v1',
      testInput: null,
      destinationIds: [],
      createdAt: 0,
      updatedAt: 5_000,
      ...record,
    },
    version: {
      id: 't',
      versionId: 'v2',
      number: 2,
      name: 'Mine',
      description: '',
      code: 'code',
      language: 'javascript',
      createdAt: 2_000,
      ...version,
    },
  }
}

describe('a transformation as JSON', () => {
  it('names the destinations that the workspace still has, without their settings', () => {
    const record = transformationRecord(codeOf({ destinationIds: ['d1', 'gone', 'd2'] }), workspace)
    expect(record).toMatchObject({
      destinations: [
        { id: 'd1', name: 'name of d1', enabled: true },
        { id: 'd2', name: 'name of d2', enabled: false },
      ],
    })
    expect(JSON.stringify(record)).not.toContain('pw')
  })

  it('has no list of destinations before its first publication, and an empty one after it', () => {
    expect(transformationRecord(codeOf({ publishedVersionId: null }), workspace)).toMatchObject({
      destinations: undefined,
    })
    expect(transformationRecord(codeOf(), workspace)).toMatchObject({ destinations: [] })
  })

  it('has the times of the record, not those of the version', () => {
    expect(transformationRecord(codeOf(), workspace)).toMatchObject({
      createdAt: '1970-01-01T00:00:00.000Z',
      updatedAt: '1970-01-01T00:00:05.000Z',
    })
  })
})

describe('a version of a library as JSON', () => {
  const record = { kind: 'library', importName: 'mine' } as const

  it('has the time when it was saved, which never changes', () => {
    const time = '1970-01-01T00:00:02.000Z'
    expect(libraryVersion(codeOf(record), {})).toMatchObject({ createdAt: time, updatedAt: time })
  })

  it('is published only if it is the live one, whichever is newest', () => {
    expect(libraryVersion(codeOf(record), {})).toMatchObject({ name: 'mine', isPublished: false })
    expect(libraryVersion(codeOf(record, { versionId: 'v1' }), {})).toMatchObject({ isPublished: true })
    expect(libraryVersion(codeOf({ ...record, publishedVersionId: null }), {})).toMatchObject({ isPublished: false })
  })
})

describe('test results as JSON', () => {
  const test = (id: string, more: Partial<CodeTest>): CodeTest => ({
    kind: 'transformation',
    id,
    versionId: `v-${id}`,
    name: `name of ${id}`,
    passed: true,
    outputs: [],
    log: [],
    errors: [],
    timeMs: 1,
    ...more,
  })

  it('list a library only when it failed', () => {
    const { result } = testResult([
      test('t1', {}),
      test('l1', { kind: 'library' }),
      test('l2', { kind: 'library', passed: false }),
    ])
    expect(result.successTestResults.map(({ transformerVersionID }) => transformerVersionID)).toEqual(['v-t1'])
    expect(result.failedTestResults.map(({ id }) => id)).toEqual(['l2'])
  })

  it('mark each line of a log, of passed and of failed tests', () => {
    const { result } = testResult([test('t1', { log: ['one', 'two'] }), test('t2', { passed: false, log: ['three'] })])
    expect(result.successTestResults[0]?.result.output.logs).toEqual(['Log: one', 'Log: two'])
    expect(result.failedTestResults[0]?.result.output.logs).toEqual(['Log: three'])
  })

  it('of nothing are two empty lists', () => {
    expect(testResult([])).toEqual({ result: { successTestResults: [], failedTestResults: [] } })
  })
})
