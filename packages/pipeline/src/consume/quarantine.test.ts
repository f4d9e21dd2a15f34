import { pass, type SourcedEvent, type Stage } from '@sluice/core'
import { json, type MappedEvent } from '@sluice/destinations/kit'
import { describe, expect, it } from 'vitest'
import type { DestinationPath } from '../flow/destination-path.ts'
import { resultsAt } from '../flow/flow.ts'
import type { ConsumerStart, CrashStore } from '../ports/stores/crash-store.ts'
import { Quarantine } from './quarantine.ts'

const live = new AbortController().signal
const place = { position: 8, index: 2 }
const event = { workspaceId: 'w', consumer: 'c', place }
const item: SourcedEvent = { workspaceId: 'w', sourceId: 's', writeKey: 'k', event: { type: 'track', messageId: 'm' } }

/** The port: every process finds `start`, and what is recorded is listed. */
function storeOf(start: ConsumerStart) {
  const record: string[] = []
  const store: CrashStore = {
    started: async (_, cursors) => new Map([...cursors.keys()].map((consumer) => [consumer, start])),
    trying: async (_, consumer, at) => void record.push(`trying ${consumer} ${at.position}/${at.index}`),
    tried: async (_, consumer) => void record.push(`tried ${consumer}`),
    stopped: async (workspaceId) => void record.push(`stopped ${workspaceId}`),
  }
  return { store, record }
}

/** A path that notes when it maps, and delivers. */
function pathOf(record: string[], more: Partial<DestinationPath> = {}): DestinationPath {
  const map: Stage<SourcedEvent, MappedEvent> = {
    name: 'destination-transform',
    run: async (batch) => {
      record.push('mapped')
      const requests = [json({ method: 'POST', endpoint: 'http://d.test/', body: {} })]
      return batch.map((each) => pass({ event: each.event, requests, userKey: 'u', messageId: 'm' }))
    },
  }
  const send: DestinationPath['send'] = async (batch, { settled }) => {
    for (const index of batch.keys()) settled(index, pass({ kind: 'delivered', status: 200, attempts: 1 }))
  }
  return { destinationId: 'd', before: [], map, send, ...more }
}

async function opened(start: Partial<ConsumerStart>, { cursor = 7, end = 9 } = {}) {
  const { store, record } = storeOf({ tries: 1, suspects: [], ...start })
  const quarantine = new Quarantine(store)
  await quarantine.open('w', new Map([['c', cursor]]), end)
  return { quarantine, record }
}

describe('a consumer', () => {
  const starts = [
    { name: 'is not careful at its first and second start', start: { tries: 2 }, careful: false },
    { name: 'is careful at its third start at the same place', start: { tries: 3 }, careful: true },
    { name: 'is careful when the process ended with an event of it', start: { suspects: [place] }, careful: true },
  ]
  for (const { name, start, careful } of starts)
    it(name, async () => expect((await opened(start)).quarantine.isCareful('w', 'c')).toBe(careful))

  it('is not careful when it has passed all of the log', async () => {
    expect((await opened({ tries: 9 }, { cursor: 9 })).quarantine.isCareful('w', 'c')).toBe(false)
  })

  it('is careful until it has passed what was under way: ten batches, or the log as it was at the start', async () => {
    const { quarantine } = await opened({ tries: 3 }, { end: 100 })
    for (let batch = 0; batch < 9; batch += 1) quarantine.passed('w', 'c', 8 + batch)
    expect(quarantine.isCareful('w', 'c')).toBe(true)
    quarantine.passed('w', 'c', 17)
    expect(quarantine.isCareful('w', 'c')).toBe(false)
    const short = (await opened({ tries: 3 }, { end: 9 })).quarantine
    short.passed('w', 'c', 9)
    expect(short.isCareful('w', 'c')).toBe(false)
  })

  it('is forgotten when it will not run any more', async () => {
    const { quarantine } = await opened({ tries: 3 })
    quarantine.forget('w', 'c')
    expect(quarantine.isCareful('w', 'c')).toBe(false)
  })
})

describe('a path', () => {
  it('is unchanged while no consumer is careful', async () => {
    const { quarantine, record } = await opened({})
    const path = pathOf(record)
    expect(quarantine.guarded(path)).toBe(path)
  })

  it('records the event before its stages run, and that they are done after them', async () => {
    const { quarantine, record } = await opened({ tries: 3 })
    const results = await resultsAt(quarantine.guarded(pathOf(record), event), [{ origin: 0, item }], live)
    expect([results[0]?.outcome, record]).toEqual(['delivered', ['trying c 8/2', 'mapped', 'tried c']])
  })

  it('records that an event is done also when a stage throws', async () => {
    const { quarantine, record } = await opened({ tries: 3 })
    const own: Stage<SourcedEvent> = { name: 'own', run: () => Promise.reject(new Error('bug')) }
    await resultsAt(quarantine.guarded(pathOf(record, { before: [own] }), event), [{ origin: 0, item }], live)
    expect(record).toEqual(['trying c 8/2', 'tried c'])
  })

  it('tries an event again with which the process ended once', async () => {
    const { quarantine, record } = await opened({ suspects: [place] })
    const [result] = await resultsAt(quarantine.guarded(pathOf(record), event), [{ origin: 0, item }], live)
    expect(result?.outcome).toBe('delivered')
  })

  it('fails an event with which the process ended twice, in its user code or else in its mapping, and runs nothing', async () => {
    const suspects = [place, place, { position: 8, index: 3 }]
    const { quarantine, record } = await opened({ suspects })
    const user: Stage<SourcedEvent> = { name: 'user-transform', run: async () => [pass(item)] }
    for (const [path, stage] of [
      [pathOf(record), 'destination-transform'],
      [pathOf(record, { before: [user] }), 'user-transform'],
    ] as const) {
      const [result] = await resultsAt(quarantine.guarded(path, event), [{ origin: 0, item }], live)
      expect(result).toMatchObject({ outcome: 'failed', stage, ending: { error: { code: 'stage.crashed' } } })
    }
    expect(record).toEqual([])
  })

  it('of another consumer takes turns with careful ones: one stage runs at a time', async () => {
    const { quarantine } = await opened({ tries: 3 })
    let underWay = 0
    let most = 0
    const own: Stage<SourcedEvent> = {
      name: 'own',
      run: async (batch) => {
        underWay += 1
        most = Math.max(most, underWay)
        await new Promise(setImmediate)
        underWay -= 1
        return batch.map((each) => pass(each))
      },
    }
    const path = pathOf([], { before: [own] })
    const inputs = [{ origin: 0, item }]
    await Promise.all(
      [undefined, event, undefined].map((each) => resultsAt(quarantine.guarded(path, each), inputs, live)),
    )
    expect(most).toBe(1)
  })
})

it('a process that stops in order says so for every workspace', async () => {
  const { quarantine, record } = await opened({})
  await quarantine.open('v', new Map(), 0)
  await quarantine.stop()
  expect(record).toEqual(['stopped w', 'stopped v'])
})
