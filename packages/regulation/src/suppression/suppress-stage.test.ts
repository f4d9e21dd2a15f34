import { drop, pass, type SourcedEvent } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { createSuppressStage } from './suppress-stage.ts'
import { type SuppressionIndex, type SuppressionQuestion, SuppressionUnavailableError } from './suppression-index.ts'

const item = (userId?: unknown): SourcedEvent => ({
  workspaceId: 'w',
  sourceId: 's',
  writeKey: 'k',
  event: { type: 'track', userId } as SourcedEvent['event'],
})
const live = new AbortController().signal

function indexThat(check: SuppressionIndex['check']): SuppressionIndex {
  return {
    hasFurtherKeys: true,
    mayMatch: () => true,
    check,
    catchUp: async () => {},
    isReady: true,
    size: 1,
    position: 1,
    reload: async () => {},
    idle: async () => {},
    close: async () => {},
  }
}
const onlyU1 = indexThat(async (questions) => questions.map(({ userId }) => userId === 'u1'))

describe('the suppress stage', () => {
  it('drops the events of suppressed users and passes the others, in order', async () => {
    const batch = [item('u1'), item('u2'), item(), item('u1')]
    const outcomes = await createSuppressStage(onlyU1).run(batch, live)
    expect(outcomes).toEqual([drop('suppressed'), pass(batch[1]), pass(batch[2]), drop('suppressed')])
  })

  it('drops a merge call that names a suppressed user among its identities', async () => {
    const merge = (value: string) => {
      const mergeProperties = [
        { type: 'email', value: 'mh@m.test' },
        { type: 'userId', value },
      ]
      return { ...item(), event: { type: 'merge', anonymousId: 'mga', mergeProperties } }
    }
    const ids = createSuppressStage({ ...onlyU1, hasFurtherKeys: false, mayMatch: ({ userId }) => userId === 'u1' })
    expect([merge('u1'), merge('u2')].map((each) => ids.mayStop(each))).toEqual([true, false])
    const batch = [merge('u1'), merge('u2')]
    expect(await ids.run(batch, live)).toEqual([drop('suppressed'), pass(batch[1])])
  })

  it('asks once for a batch, with the workspace, source and identifiers of each event', async () => {
    const asked: (readonly SuppressionQuestion[])[] = []
    const index = indexThat(async (questions) => {
      asked.push(questions)
      return questions.map(() => false)
    })
    await createSuppressStage(index).run([item('u1'), item(7)], live)
    expect(asked).toEqual([
      [
        { workspaceId: 'w', sourceId: 's', userId: 'u1' },
        { workspaceId: 'w', sourceId: 's', userId: '7' },
      ],
    ])
  })

  const unavailable = indexThat(() => Promise.reject(new SuppressionUnavailableError('not loaded')))

  it('lets nothing through while the index is unavailable', async () => {
    await expect(createSuppressStage(unavailable).run([item('u1')], live)).rejects.toThrow('not loaded')
  })

  it('lets everything through while the index is unavailable, if the operator chose so', async () => {
    const batch = [item('u1')]
    expect(await createSuppressStage(unavailable, 'pass').run(batch, live)).toEqual([pass(batch[0])])
  })

  it('lets nothing through after any other error, whatever the operator chose', async () => {
    const broken = indexThat(() => Promise.reject(new Error('bug')))
    await expect(createSuppressStage(broken, 'pass').run([item('u1')], live)).rejects.toThrow('bug')
  })
})
