import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { webhook } from '@sluice/destinations'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { loadProject } from '../project/load-project.ts'
import { createOfflineRunner, type OfflineRunner } from '../run/offline-runner.ts'
import { checkTraffic } from './check-traffic.ts'
import { observeTraffic } from './observe-traffic.ts'
import { saveCounterexample } from './save-counterexample.ts'

const recorded = Array.from({ length: 40 }, (_, n) => ({
  type: 'track',
  event: 'Bought',
  messageId: `m${n}`,
  userId: `user-${n}`,
  context: { traits: { email: `ann${n}@shop.example`, ssn: 100_000_000 + n } },
  properties: {
    currency: n % 3 === 0 ? 'EUR' : 'USD',
    total: n,
    note: n % 4 === 0 ? null : 'x',
    ...(n % 5 === 0 ? {} : { items: [n] }),
  },
}))

let root: string
let runner: OfflineRunner
beforeAll(async () => {
  runner = await createOfflineRunner({ mode: 'in-process' })
})
afterAll(() => runner.close())
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sluice-traffic-'))
  mkdirSync(join(root, 'transformations'))
})
afterEach(() => rmSync(root, { recursive: true }))

const destination = {
  definition: webhook,
  settings: { webhookUrl: 'https://hook.test/in', webhookMethod: 'POST', headers: [] },
} as const

async function projectOf(body: string) {
  writeFileSync(join(root, 'transformations', 'own.js'), `export function transformEvent(event) {\n${body}\n}`)
  const project = await loadProject(root)
  const transformation = project?.transformations[0]
  if (project === undefined || transformation === undefined) throw new Error('the project is not there')
  return { project, transformation }
}

async function check(body: string, personalPaths: readonly string[] = [], seed = 1) {
  const { project, transformation } = await projectOf(body)
  const [model] = await observeTraffic(recorded, personalPaths)
  if (model === undefined) throw new Error('nothing was observed')
  return checkTraffic(project, transformation, model, { fc, runner, destination, personalPaths, runs: 100, seed })
}

describe('the laws of a transformation', () => {
  it('hold for code that keeps them, and nothing may be dropped where nothing was', async () => {
    const report = await check('event.properties.seen = true\nreturn event')
    expect(report).toEqual({
      transformation: 'own',
      model: 'track Bought',
      recorded: { dropped: 0, events: 40 },
      runs: 100,
    })
  })

  it('find code that throws where a key is missing, with the smallest such event', async () => {
    const { broken } = await check('event.first = event.properties.items[0]\nreturn event')
    expect(broken).toMatchObject({ law: 'never throws', reason: expect.stringContaining('transform.threw') })
    expect(broken?.event).toMatchObject({ type: 'track', event: 'Bought' })
    expect(broken?.event['properties']).not.toHaveProperty('items')
  })

  it('are found again by the seed, and differ by it', async () => {
    const body = 'if (event.properties.note === null) throw new Error("no note")\nreturn event'
    const [first, again] = [await check(body, [], 7), await check(body, [], 7)]
    expect(first.broken).toBeDefined()
    expect(again.broken).toEqual(first.broken)
  })

  it('find a value of a place that must not be sent, whether text or number', async () => {
    for (const path of ['context.traits.ssn', 'context.traits.email']) {
      const { broken } = await check('event.properties.copy = JSON.stringify(event.context)\nreturn event', [path])
      expect(broken).toMatchObject({ law: 'leaks no personal data', reason: `${path} is sent` })
    }
    const kept = await check('event.context.traits = {}\nreturn event', ['context.traits.ssn', 'context.traits.email'])
    expect(kept.broken).toBeUndefined()
  })

  it('find an event that is dropped although none was, and allow drops where some were', async () => {
    const { broken } = await check(
      'return event.properties.currency === "EUR" && event.properties.total % 3 === 1 ? null : event',
    )
    expect(broken).toMatchObject({ law: 'drops only by rule' })
    const dropping = await check('return event.properties.currency === "EUR" ? null : event')
    expect(dropping).toMatchObject({ recorded: { dropped: 14, events: 40 } })
    expect(dropping.broken).toBeUndefined()
  })

  it('find an event that the destination does not take', async () => {
    const { broken } = await check('return { ...event, type: 7 }')
    expect(broken).toMatchObject({ law: 'the destination accepts it' })
  })

  it('make no personal value part of an event that is shown or saved, and save it as a case of the transformation', async () => {
    const { project, transformation } = await projectOf('return event.nothing.at')
    const { broken } = await check('return event.nothing.at')
    if (broken === undefined) throw new Error('the code throws')
    const path = await saveCounterexample(project, transformation, broken)
    expect(path).toMatch(/^tests\/own\/input\/never-throws-[0-9a-f]{8}\.json$/)
    const text = readFileSync(join(root, path), 'utf8')
    expect(JSON.parse(text)).toEqual(broken.event)
    const found = (await loadProject(root))?.transformations[0]?.cases.map(({ inputFile }) => inputFile)
    expect(found).toEqual([join(root, path)])
    const conditions = join(dirname(dirname(join(root, path))), 'conditions')
    expect(readFileSync(join(conditions, path.slice(path.lastIndexOf('/') + 1)), 'utf8')).toContain('2026-01-01')
  })
})

it('events that are made up have no recorded personal value', async () => {
  const { eventArbitrary } = await import('./event-arbitrary.ts')
  const [model] = await observeTraffic(recorded, ['context.traits.ssn'])
  if (model === undefined) throw new Error('nothing was observed')
  const personal = recorded.flatMap(({ userId, context }) => [userId, context.traits.email, String(context.traits.ssn)])
  fc.assert(
    fc.property(eventArbitrary(fc, model.value), (event) => {
      const text = JSON.stringify(event)
      for (const value of personal) expect(text).not.toContain(`"${value}"`)
      expect(text).not.toMatch(/ann\d+@shop|:1000000\d\d\b/)
    }),
  )
})
