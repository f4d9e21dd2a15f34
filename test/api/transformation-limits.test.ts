import { createManualClock, createSeededRandom } from '@sluice/core'
import { createSandbox, type Sandbox } from '@sluice/sandbox'
import { createMemoryStore } from '@sluice/storage'
import { createTransformationPrograms, createTransformations, type TransformationStore } from '@sluice/transformations'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await createSandbox({ mode: 'in-process' })
})
afterAll(() => sandbox.close())

/** The service on a store that differs from the real one where a test needs it. */
function setUp(differ: (store: TransformationStore) => Partial<TransformationStore>, onLive = async () => {}) {
  const clock = createManualClock()
  const random = createSeededRandom(1)
  const { transformations: real } = createMemoryStore({ clock, random })
  const store = { ...real, ...differ(real) }
  const programs = createTransformationPrograms({ sandbox })
  const service = createTransformations({ store, sandbox, programs, clock, random, destinationIds: () => [], onLive })
  return { service, real, clock }
}
const code = 'export const transformEvent = (e) => e'
const refusal = (errorCode: string) => ({
  ok: false,
  error: { code: errorCode, message: expect.stringMatching(/.{20}/) },
})

describe('the service of transformations', () => {
  it('accepts no more code than the limit of a workspace', async () => {
    const { service } = setUp(() => ({ bytes: async () => 256 * 1_024 * 1_024 }))
    expect(await service.create('w', 'transformation', { name: 'T', code })).toEqual(refusal('storageFull'))
  })

  it('gives up when other processes keep changing the same transformation, and stores nothing', async () => {
    const { service, real } = setUp((store) => ({
      commit: async (workspaceId, change) =>
        change.create && !change.publish ? store.commit(workspaceId, change) : 'changed',
    }))
    const created = await service.create('w', 'transformation', { name: 'T', code })
    if (!created.ok) throw new Error('a draft is made')
    const { id, versionId } = created.value.version
    const answers = [
      service.update('w', 'transformation', id, { name: 'U' }),
      service.update('w', 'transformation', id, { publish: true }),
      service.create('w', 'transformation', { name: 'V', code, publish: true }),
      service.publish('w', { transformations: [{ versionId }] }),
      service.remove('w', 'transformation', id, { ifUnused: false }),
    ]
    for (const answer of await Promise.all(answers)) expect(answer).toEqual(refusal('changedMeanwhile'))
    expect(await real.list('w', 'transformation')).toEqual([created.value])
  })

  it('retries a change when another process has changed the transformation in the meantime, and loses nothing', async () => {
    let rivals = 2
    const { service, real } = setUp((store) => ({
      commit: async (workspaceId, change) => {
        const newest = change.addVersion && (await store.find(workspaceId, 'transformation', change.addVersion.id))
        if (newest && rivals > 0) {
          rivals -= 1
          const { version } = newest
          const addVersion = { ...version, versionId: `rival-${rivals}`, number: version.number + 1, name: 'rival' }
          await store.commit(workspaceId, { addVersion })
        }
        return store.commit(workspaceId, change)
      },
    }))
    const created = await service.create('w', 'transformation', { name: 'T', code })
    if (!created.ok) throw new Error('a draft is made')
    const { id } = created.value.version
    expect(await service.update('w', 'transformation', id, { description: 'mine', publish: true })).toMatchObject({
      ok: true,
      value: { version: { description: 'mine', name: 'rival', number: 4 } },
    })
    expect((await real.versions('w', id, { order: 'ASC' })).map(({ number }) => number)).toEqual([1, 2, 3, 4])
  })

  it('limits how many publications of a workspace can wait', async () => {
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const { service } = setUp(
      () => ({}),
      () => held,
    )
    const publish = () => service.create('w', 'transformation', { name: 'T', code, publish: true })
    const all = Array.from({ length: 60 }, publish)
    const refused = await Promise.race(all.map((each) => each.then((answer) => (answer.ok ? never : answer))))
    expect(refused).toEqual(refusal('busy'))
    release()
    const done = (await Promise.all(all)).filter(({ ok }) => ok)
    expect(done).toHaveLength(50)
  })

  it('gives versions increasing times even when the clock runs backwards', async () => {
    const { service, clock } = setUp(() => ({}))
    const created = await service.create('w', 'transformation', { name: 'T', code })
    if (!created.ok) throw new Error('a draft is made')
    clock.advance(-60_000)
    const updated = await service.update('w', 'transformation', created.value.version.id, {})
    expect(updated).toMatchObject({ ok: true, value: { version: { createdAt: created.value.version.createdAt } } })
  })
})

/** A promise that does not settle does not win a race. */
const never = new Promise<never>(() => {})
