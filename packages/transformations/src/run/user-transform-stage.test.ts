import { drop, fail, pass, type SourcedEvent, type Transformation } from '@sluice/core'
import { createSandbox, nothingReturned } from '@sluice/sandbox'
import { afterAll, describe, expect, it } from 'vitest'
import { transformationVersionId } from '../versions/transformation-version-id.ts'
import { createTransformationPrograms } from './transformation-programs.ts'
import { createUserTransformStage, type UserTransformOptions } from './user-transform-stage.ts'

const sandbox = await createSandbox()
const programs = createTransformationPrograms({ sandbox })
const live = new AbortController().signal
afterAll(() => sandbox.close())

const item = (n: number): SourcedEvent => ({
  workspaceId: 'w',
  sourceId: 's',
  writeKey: `key-${n}`,
  event: { messageId: `m${n}`, type: 'track', event: 'Item', rudderId: 'r', receivedAt: '2026-01-01T00:00:00.000Z', n },
})
const stage = (code: string, options: Partial<UserTransformOptions> = {}) => {
  const transformation: Transformation = {
    versionId: transformationVersionId(code, []),
    name: 'mine',
    code,
    libraries: [],
  }
  return createUserTransformStage({ programs, transformation, ...options })
}

describe('user transform stage', () => {
  it('returns one outcome per input, and keeps the source and write key of the input', async () => {
    const code = `export function transformEvent(event) {
      if (event.n === 1) return
      if (event.n === 2) throw 'no'
      return [{ first: event.n }, { second: event.n }]
    }`
    const threw = fail({ code: 'transform.threw', message: 'Error: thrown value is not an Error: no' })
    expect(await stage(code).run([item(1), item(2), item(3)], live)).toEqual([
      drop(nothingReturned),
      threw,
      pass({ ...item(3), event: { first: 3 } }, { ...item(3), event: { second: 3 } }),
    ])
  })
  it('does not change its input', async () => {
    const frozen = item(1)
    Object.freeze(frozen)
    Object.freeze(frozen.event)
    const code = 'export function transformEvent(event) { event.n = 9; delete event.type; return event }'
    expect(await stage(code).run([frozen], live)).toMatchObject([{ items: [{ event: { n: 9 } }] }])
    expect(frozen).toEqual(item(1))
  })
  it('shows user code the source and destination of an event', async () => {
    const code = 'export const transformEvent = (event, metadata) => metadata(event)'
    const metadataOf = (of: SourcedEvent) => ({ destinationId: 'd', sourceName: `name of ${of.sourceId}`, secret: 'x' })
    const [outcome] = await stage(code, { metadataOf }).run([item(1)], live)
    expect(outcome).toMatchObject({ kind: 'pass' })
    expect(outcome?.kind === 'pass' && outcome.items[0]?.event).toEqual({
      workspaceId: 'w',
      sourceId: 's',
      sourceName: 'name of s',
      destinationId: 'd',
      messageId: 'm1',
      rudderId: 'r',
      receivedAt: '2026-01-01T00:00:00.000Z',
      eventName: 'Item',
      eventType: 'track',
      transformationId: 'mine',
      transformationVersionId: transformationVersionId(code, []),
    })
  })
  it('fails every event when the code cannot be loaded', async () => {
    const failed = { kind: 'fail', error: { code: 'transform.load', message: expect.stringContaining('[mine:1:') } }
    expect(await stage('export function transformEvent( {').run([item(1), item(2)], live)).toMatchObject([
      failed,
      failed,
    ])
  })
  it('passes on what user code logged', async () => {
    const lines: string[] = []
    const code = "export function transformEvent(event) { log('n', event.n); return event }"
    await stage(code, { onLog: (logged) => lines.push(...logged) }).run([item(1), item(2)], live)
    expect(lines).toEqual(['n 1', 'n 2'])
  })
  it('rejects when the pipeline stops', async () => {
    const reason = new Error('stop')
    const code = 'export const transformEvent = (event) => event'
    await expect(stage(code).run([item(1)], AbortSignal.abort(reason))).rejects.toBe(reason)
  })
})
