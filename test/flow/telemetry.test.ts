import { context, metrics, type Span, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import type { Telemetry, Work } from '@sluice/pipeline'
import type { Sluice } from 'sluice'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { shop } from '../support/scenes/shop.ts'
import { type ServeOptions, serveWorkspaces } from '../support/served-workspace.ts'

const code = `export function transformEvent(event) {
  if (event.event === 'Broken') throw new Error('canary-payload')
  return event
}`
const workspace = shop('http://hook.test/', {
  destinations: [
    { id: 'hook', type: 'WEBHOOK', settings: { webhookUrl: 'http://hook.test/' }, transformation: { code } },
  ],
})

let sluice: Sluice
const serve = serveWorkspaces({ workspace })
const start = async (more: ServeOptions): Promise<Sluice> => {
  ;({ sluice } = await serve(more))
  return sluice
}

const track = (event: string, userId = 'u1') => ({ type: 'track', event, userId, messageId: `canary-${event}` })
async function send(...events: readonly object[]): Promise<void> {
  expect((await sluice.ingest('web-key', events)).ok).toBe(true)
  await sluice.settled()
}

describe("telemetry: 'opentelemetry'", () => {
  const spans = new InMemorySpanExporter()
  let exported: InMemoryMetricExporter
  let reader: PeriodicExportingMetricReader

  beforeEach(async () => {
    spans.reset()
    exported = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
    reader = new PeriodicExportingMetricReader({ exporter: exported, exportIntervalMillis: 3_600_000 })
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }))
    metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }))
    await start({ telemetry: 'opentelemetry' })
  })
  afterEach(() => {
    for (const api of [context, trace, metrics]) api.disable()
  })

  it('creates a span per batch, with one per stage inside, and none of them contains an event', async () => {
    await send(track('Seen'), track('Broken'))
    const finished = spans.getFinishedSpans()
    const named = (name: string): ReadableSpan | undefined => finished.find((span) => span.name === name)
    const idOf = (span: Pick<Span, 'spanContext'> | undefined) => span?.spanContext().spanId
    const batch = named('sluice deliver')
    expect(batch?.attributes).toEqual({ workspace: 'shop', destination: 'hook', inputs: 2 })
    for (const [stage, inputs] of [
      ['permission', 2],
      ['user-transform', 2],
      ['destination-transform', 1],
      ['deliver', 1],
    ] as const) {
      const span = named(`sluice stage ${stage}`)
      expect(span?.attributes).toEqual({ workspace: 'shop', destination: 'hook', stage, inputs })
      expect(span?.parentSpanContext?.spanId).toBe(idOf(batch))
    }
    for (const name of ['sluice append', 'sluice observe', 'sluice commit']) expect(named(name)).toBeDefined()
    const text = JSON.stringify(
      finished.map(({ name, attributes, events, status }) => [name, attributes, events, status]),
    )
    expect(text).not.toContain('canary')
  })

  it('exports the metrics of GET /metrics under the same names, with values equal to the stats', async () => {
    await send(track('Seen'), track('Broken'))
    await reader.forceFlush()
    const exportedMetrics = exported
      .getMetrics()
      .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((each) => each.metrics))
    const names = new Set(exportedMetrics.map(({ descriptor }) => descriptor.name))
    const text = await sluice.metrics()
    // What the process takes of the machine is exported by OpenTelemetry's own instrumentation.
    const metricNames = [...text.matchAll(/^# TYPE (sluice_\w+)/gm)].map((match) => match[1] ?? '')
    expect([...names].sort()).toEqual(metricNames.sort())
    const pointsOf = (name: string) =>
      exportedMetrics.flatMap(({ descriptor, dataPoints }): readonly object[] =>
        descriptor.name === name ? dataPoints : [],
      )
    const to = { workspace: 'shop', source: 'web', destination: 'hook' }
    const [stats] = await sluice.stats()
    expect(pointsOf('sluice_events_accepted_total')).toMatchObject([{ value: stats?.accepted }])
    expect(pointsOf('sluice_destination_delivered_total')).toMatchObject([{ attributes: to, value: 1 }])
    expect(pointsOf('sluice_destination_failed_total')).toMatchObject([
      { attributes: { ...to, reason: 'transform.threw' }, value: stats?.destinations[0]?.failed['transform.threw'] },
    ])
    expect(pointsOf('sluice_stage_seconds').length).toBe(4)
  })

  it('reports only the suppression counter for a suppressed event', async () => {
    await sluice.regulations.create('shop', { regulationType: 'suppress', users: [{ userId: 'u2' }] })
    spans.reset()
    await send(track('Seen', 'u2'))
    expect(spans.getFinishedSpans()).toEqual([])
    await reader.forceFlush()
    const exportedMetrics = exported
      .getMetrics()
      .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((each) => each.metrics))
    const counted = exportedMetrics.filter(({ dataPoints }) => dataPoints.some(({ value }) => value !== 0))
    const names = counted.map(({ descriptor }) => descriptor.name).sort()
    const health = counted.find(({ descriptor }) => descriptor.name === 'sluice_destination_health')
    const isSo = health?.dataPoints.filter(({ value }) => value !== 0).map(({ attributes }) => attributes['health'])
    expect(new Set(isSo)).toEqual(new Set(['idle']))
    // The limits are the same whatever arrives, and so is the health of destinations that got nothing.
    expect(names.filter((name) => !/^sluice_(budget_(limit|reserved)|destination_health)$/.test(name))).toEqual([
      'sluice_events_received_total',
      'sluice_events_suppressed_total',
    ])
  })
})

describe('a telemetry implementation of the embedding program', () => {
  it('is called per batch, not per event', async () => {
    const works: Work[] = []
    const delays: number[] = []
    const telemetry: Telemetry = {
      around: (work, run) => {
        works.push(work)
        return run()
      },
      stageEnded: () => {},
      caughtUp: ({ lagMs }) => delays.push(lagMs),
    }
    await start({ telemetry })
    await send(...Array.from({ length: 100 }, (_, i) => track(`E${i}`)))
    const inputs = new Map<string, number>()
    for (const { kind, stage = '', inputs: count } of works)
      inputs.set(`${kind} ${stage}`.trim(), (inputs.get(`${kind} ${stage}`.trim()) ?? 0) + count)
    expect(Object.fromEntries(inputs)).toEqual({
      append: 100,
      // Of the destination and of the catalogue.
      commit: 200,
      deliver: 100,
      observe: 100,
      'stage deliver': 100,
      'stage destination-transform': 100,
      'stage permission': 100,
      'stage user-transform': 100,
    })
    // Nine, or some more on a busy machine, where a batch that takes long is committed in parts.
    expect(works.length).toBeLessThan(40)
    expect(delays.length).toBeGreaterThanOrEqual(2)
    expect(delays.length).toBeLessThan(20)
  })
})
