import assert from 'node:assert/strict'
import type { Event, JsonObject } from '@sluice/core'
import type { Transport } from '@sluice/delivery'
import { isMappingError, webhook } from '@sluice/destinations'
import { type ActionSource, compileAction, compileMapping, toSegmentEvent } from '@sluice/segment-actions'
import { actionTargets } from './action-targets.ts'
import type { BenchCase, CaseResult, OpenCase } from './bench-case.ts'
import { type Figure, type FigureResult, measureRoundTrip, runBench } from './bench-kit.ts'
import { type Corpus, loadCorpus } from './corpus.ts'
import { measureDefinitionMemory } from './definition-memory.ts'
import { batchSize, flowCase, settings as webhookSettings } from './flow-case.ts'
import { hasDefinitions, loadDefinitions, loadSegmentEngine, type SegmentEngine } from './segment-engine.ts'

const path = (text: string): JsonObject => ({ '@path': text })
/** The most frequent form in Segment's presets. */
const either = (first: string, second: string): JsonObject => ({
  // biome-ignore lint/suspicious/noThenProperty: it is what the directive calls it
  '@if': { exists: path(first), then: path(first), else: path(second) },
})
const text = { type: 'string' } as const

const small: ActionSource = {
  slug: 'small',
  action: {
    fields: { id: text, event: { ...text, required: true }, at: { type: 'datetime' }, value: { type: 'number' } },
  },
  subscribe: 'type = "track"',
  mapping: {
    id: either('$.userId', '$.anonymousId'),
    event: path('$.event'),
    at: path('$.timestamp'),
    value: path('$.properties.value'),
  },
}

/** Each member of the context is a field. */
const contextPaths = [
  ...['app.name', 'app.version', 'app.build', 'ip', 'locale', 'userAgent', 'os.name', 'os.version', 'timezone'],
  ...['device.id', 'device.type', 'device.model', 'device.manufacturer', 'network.carrier', 'library.name'],
  ...['screen.width', 'screen.height', 'page.url', 'page.path', 'page.title', 'page.referrer', 'campaign.source'],
]
const nameOf = (contextPath: string): string => contextPath.replace('.', '_')

const large: ActionSource = {
  slug: 'large',
  action: {
    fields: {
      ...small.action.fields,
      ...Object.fromEntries(contextPaths.map((each) => [nameOf(each), text])),
      label: text,
      user: { type: 'object', properties: { email: text, phone: text, city: text } },
      products: { type: 'object', multiple: true, properties: { id: text, price: { type: 'number' } } },
      properties: { type: 'object', additionalProperties: true },
    },
  },
  subscribe: 'type = "track" and event != "Order Refunded"',
  mapping: {
    ...small.mapping,
    ...Object.fromEntries(contextPaths.map((each) => [nameOf(each), path(`$.context.${each}`)])),
    label: { '@template': '{{event}} by {{userId}}' },
    user: {
      email: either('$.traits.email', '$.context.traits.email'),
      phone: either('$.traits.phone', '$.context.traits.phone'),
      city: path('$.context.traits.address.city'),
    },
    products: { '@arrayPath': ['$.properties.products', { id: path('product_id'), price: path('price') }] },
    properties: path('$.properties'),
  },
}

function actionCases(source: ActionSource, events: readonly Event[]): readonly BenchCase[] {
  const engine = loadSegmentEngine(import.meta.url)
  const { map, mapOnly } = compileBoth(source, engine)
  const direct = (event: Event): JsonObject => engine.transform(source.mapping, event)
  const name = `${source.slug}, ${Object.keys(source.mapping).length} members`
  return [
    {
      name: `one event to its payload, ${name}`,
      open: () =>
        timing(
          events,
          (event) => map(toSegmentEvent(event)),
          () => {
            const payloads = events.map((event) => map(toSegmentEvent(event)))
            assert.equal(payloads.filter((each) => each === undefined || isMappingError(each)).length, 0)
          },
        ),
    },
    {
      name: `its mapping compiled, ${name}`,
      open: () => timing(events, mapOnly, () => assert.deepEqual(events.map(mapOnly), events.map(direct))),
    },
    { name: `its mapping by @segment/actions-core, ${name}`, open: () => timing(events, direct, () => {}) },
  ]
}

function compileBoth(source: ActionSource, { functions }: SegmentEngine) {
  const action = compileAction(source, functions)
  const mapping = compileMapping(source.mapping, functions)
  assert.ok(action.ok && mapping.ok, `the mapping of ${source.slug} is wrong`)
  return { map: action.map, mapOnly: mapping.map }
}

/** What is mapped is kept for a moment, so that it is really made. */
let mappedLast: unknown

function timing(events: readonly Event[], map: (event: Event) => unknown, check: () => void): OpenCase {
  return {
    events: events.length,
    check,
    run: () => {
      for (const event of events) mappedLast = map(event)
      assert.ok(mappedLast)
    },
  }
}

/** Destinations in the flow at once. */
const targetCount = 20
const flowOfWebhooks = `whole flow, ${targetCount} webhooks`
const flowOfActions = `whole flow, ${targetCount} destinations of actions`

/** Answers as products do, at once. */
const emptyJson: Transport = {
  send: async () => ({ kind: 'reply', status: 200, headers: { 'content-type': 'application/json' }, body: '{}' }),
}

function flowCases(corpus: Corpus): readonly BenchCase[] {
  const hook = { definition: webhook, settings: webhookSettings }
  const hooks = Array.from({ length: targetCount }, () => hook)
  return [
    { name: flowOfWebhooks, open: () => flowCase(corpus, { transport: emptyJson, targets: hooks }) },
    {
      name: flowOfActions,
      open: async () => {
        const targets = await actionTargets(targetCount, corpus.events.slice(0, batchSize), emptyJson)
        return flowCase(corpus, { transport: emptyJson, targets })
      },
    },
  ]
}

/** Compares both flows of the same run. */
function flowRatio(cases: readonly CaseResult[]): readonly FigureResult[] {
  const rtOf = (wanted: string): number | undefined => cases.find(({ name }) => name === wanted)?.rt
  const [webhooks, actions] = [rtOf(flowOfWebhooks), rtOf(flowOfActions)]
  if (webhooks === undefined || actions === undefined) return []
  const name = `${flowOfActions}, against as many webhooks`
  return [{ name, unit: 'times the time', goal: 'at most 10', value: actions / webhooks }]
}

/** Whatever installed presets there are, each for events that it is meant for. */
const figures: readonly Figure[] = [
  {
    name: 'one event to its payload, median of all presets',
    unit: 'RT',
    goal: 'at most 0.5',
    measure: async () => {
      const times = presetTimes(({ map }) => map)
      return median(times) / (await measureRoundTrip(loadCorpus()))
    },
  },
  {
    name: 'mapping compiled against @segment/actions-core, median of all presets',
    unit: 'times as fast',
    goal: 'at least 10',
    measure: async () => {
      const ours = presetTimes(({ mapOnly }) => mapOnly)
      const theirs = presetTimes(({ direct }) => direct)
      return median(theirs.map((each, index) => each / (ours[index] ?? Number.NaN)))
    },
  },
  {
    name: 'memory of a loaded definition with its presets compiled, against the text of its modules',
    unit: 'times its bytes',
    goal: 'at most 25',
    measure: async () => {
      const { heapBytes, textBytes } = measureDefinitionMemory(loadCorpus().events)
      return heapBytes / textBytes
    },
  },
  {
    name: 'memory of a loaded definition with its presets compiled, mean',
    unit: 'KiB',
    goal: 'at most 1,000',
    measure: async () => {
      const { heapBytes, definitions } = measureDefinitionMemory(loadCorpus().events)
      return heapBytes / definitions / 1_024
    },
  },
]

interface PresetRun {
  readonly map: (event: Event) => unknown
  readonly mapOnly: (event: Event) => unknown
  readonly direct: (event: Event) => unknown
}

/** Returns the time per event of each preset, in microseconds. */
function presetTimes(choose: (run: PresetRun) => (event: Event) => unknown): readonly number[] {
  const { engine, definitions } = loadDefinitions()
  const corpus = loadCorpus().events.slice(0, 50)
  return definitions.flatMap(({ actions, presets = [] }) =>
    presets.flatMap(({ partnerAction, subscribe, mapping }) => {
      const action = actions[partnerAction]
      if (action === undefined || mapping === undefined) return []
      const compiled = compileBoth({ slug: partnerAction, action, subscribe, mapping }, engine)
      const direct = (event: Event): JsonObject => engine.transform(mapping, event)
      return [microseconds(choose({ ...compiled, direct }), eventsFor(subscribe, corpus))]
    }),
  )
}

/** Returns events of the type and name that a condition asks for first. */
function eventsFor(subscribe: string | undefined, events: readonly Event[]): readonly Event[] {
  const [, type = 'track'] = /\btype = "(\w+)"/.exec(subscribe ?? '') ?? []
  const [, name] = /\bevent = "([^"]+)"/.exec(subscribe ?? '') ?? []
  return events.map((event) => toSegmentEvent({ ...event, type, ...(name === undefined ? {} : { event: name }) }))
}

const runs = 20 // of all events; the first half lets V8 compile

function microseconds(map: (event: Event) => unknown, events: readonly Event[]): number {
  let started = 0n
  for (let run = 0; run < runs; run++) {
    if (run === runs / 2) started = process.hrtime.bigint()
    for (const event of events) mappedLast = map(event)
  }
  return Number(process.hrtime.bigint() - started) / 1_000 / (events.length * (runs / 2))
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

await runBench(
  "What do Segment's actions cost: a payload, twenty destinations in the flow, a loaded definition?",
  (corpus) => [...[small, large].flatMap((source) => actionCases(source, corpus.events)), ...flowCases(corpus)],
  hasDefinitions ? figures : [],
  flowRatio,
)
