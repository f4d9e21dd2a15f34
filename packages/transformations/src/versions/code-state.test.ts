import { describe, expect, it } from 'vitest'
import { type CodeState, type CodeStep, nextState, versionState } from './code-state.ts'

const revisionOnly: CodeState = { newest: 'v1', published: null }
const live: CodeState = { newest: 'v1', published: 'v1' }
const liveBehind: CodeState = { newest: 'v2', published: 'v1' }

describe('the states of versions', () => {
  const rows: readonly {
    readonly name: string
    readonly state: CodeState | undefined
    readonly step: CodeStep
    readonly testsPassed: boolean
    readonly want: CodeState | undefined
  }[] = [
    {
      name: 'create with publish: one version is live, and in the history',
      state: undefined,
      step: { kind: 'create', versionId: 'v1', publish: true },
      testsPassed: true,
      want: live,
    },
    {
      name: 'create with publish that fails its tests: nothing is created',
      state: undefined,
      step: { kind: 'create', versionId: 'v1', publish: true },
      testsPassed: false,
      want: undefined,
    },
    {
      name: 'create without publish: a revision only',
      state: undefined,
      step: { kind: 'create', versionId: 'v1', publish: false },
      testsPassed: false,
      want: revisionOnly,
    },
    {
      name: 'update with publish of a live version: the new version is live, the previous one a revision',
      state: live,
      step: { kind: 'update', versionId: 'v2', publish: true },
      testsPassed: true,
      want: { newest: 'v2', published: 'v2' },
    },
    {
      name: 'update with publish of a revision: the new version is live',
      state: revisionOnly,
      step: { kind: 'update', versionId: 'v2', publish: true },
      testsPassed: true,
      want: { newest: 'v2', published: 'v2' },
    },
    {
      name: 'update with publish that fails its tests: unchanged',
      state: live,
      step: { kind: 'update', versionId: 'v2', publish: true },
      testsPassed: false,
      want: live,
    },
    {
      name: 'update without publish of a live version: a new revision, the same version is live',
      state: live,
      step: { kind: 'update', versionId: 'v2', publish: false },
      testsPassed: false,
      want: liveBehind,
    },
    {
      name: 'update without publish of a revision: a new revision, nothing is live',
      state: revisionOnly,
      step: { kind: 'update', versionId: 'v2', publish: false },
      testsPassed: false,
      want: { newest: 'v2', published: null },
    },
    {
      name: 'publish of a revision that passes its tests: it is live',
      state: liveBehind,
      step: { kind: 'publish', versionId: 'v2' },
      testsPassed: true,
      want: { newest: 'v2', published: 'v2' },
    },
    {
      name: 'publish of an older revision, to roll back: it is live, the newest stays the newest',
      state: { newest: 'v2', published: 'v2' },
      step: { kind: 'publish', versionId: 'v1' },
      testsPassed: true,
      want: liveBehind,
    },
    {
      name: 'publish of the live version: unchanged',
      state: live,
      step: { kind: 'publish', versionId: 'v1' },
      testsPassed: true,
      want: live,
    },
    {
      name: 'publish of a revision that fails its tests: unchanged',
      state: liveBehind,
      step: { kind: 'publish', versionId: 'v2' },
      testsPassed: false,
      want: liveBehind,
    },
  ]
  for (const { name, state, step, testsPassed, want } of rows)
    it(name, () => expect(nextState(state, step, testsPassed)).toEqual(want))

  it('distinguish the published version from revisions', () => {
    expect(versionState(liveBehind, 'v1')).toBe('published version')
    expect(versionState(liveBehind, 'v2')).toBe('revision')
    expect(versionState(revisionOnly, 'v1')).toBe('revision')
  })
})
