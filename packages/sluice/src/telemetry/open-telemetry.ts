import type { Histogram, Observable } from '@opentelemetry/api'
import type { Telemetry } from '@sluice/pipeline'
import { type Instruments, labelsOf, measureInto } from './instruments.ts'
import { clusterMetrics, measuredMetrics, type Sample, storedMetrics } from './metric-table.ts'

/** What is used of the package `@opentelemetry/api`. */
export type OpenTelemetryApi = Pick<typeof import('@opentelemetry/api'), 'metrics' | 'SpanStatusCode' | 'trace'>

/** Telemetry for the SDK registered with `@opentelemetry/api`; discarded when there is none. */
export interface OpenTelemetry {
  readonly telemetry: Telemetry
  /** For what is measured beside that. */
  readonly instruments: Instruments
  /**
   * Registers metrics that the SDK reads from the store and the cluster on each collection. @returns a function that unregisters them.
   */
  observe(samples: () => Promise<readonly Sample[]>): () => void
}

const scope = 'sluice'

/** Creates spans per batch and stage, and the metrics of `GET /metrics` under the same names. */
export function createOpenTelemetry({ metrics, SpanStatusCode, trace }: OpenTelemetryApi): OpenTelemetry {
  const tracer = trace.getTracer(scope)
  const meter = metrics.getMeter(scope)
  const stageEvents = meter.createCounter('sluice_stage_events_total', {
    description: measuredMetrics.sluice_stage_events_total.help,
  })
  const histograms = new Map<string, Histogram>()
  for (const [name, traits] of Object.entries(measuredMetrics))
    if (traits.type === 'histogram')
      histograms.set(
        name,
        meter.createHistogram(name, {
          description: traits.help,
          advice: { explicitBucketBoundaries: [...traits.buckets] },
        }),
      )
  const instruments: Instruments = {
    add: (_, labels, value) => stageEvents.add(value, labels),
    record: (name, labels, value) => histograms.get(name)?.record(value, labels),
  }
  const measured = measureInto(instruments)

  return {
    instruments,
    telemetry: {
      ...measured,
      around: (work, run) => {
        const name = work.kind === 'stage' ? `sluice stage ${work.stage}` : `sluice ${work.kind}`
        const attributes = { ...labelsOf(work), inputs: work.inputs }
        return tracer.startActiveSpan(name, { attributes }, async (span) => {
          try {
            return await measured.around(work, run)
          } catch (error) {
            // Without the message, which may quote private data.
            span.setStatus({ code: SpanStatusCode.ERROR })
            throw error
          } finally {
            span.end()
          }
        })
      },
    },
    observe: (samples) => {
      const instruments = new Map<string, Observable>()
      for (const [name, { type, help: description }] of Object.entries({ ...storedMetrics, ...clusterMetrics }))
        instruments.set(
          name,
          type === 'counter'
            ? meter.createObservableCounter(name, { description })
            : meter.createObservableGauge(name, { description }),
        )
      const all = [...instruments.values()]
      const callback: Parameters<typeof meter.addBatchObservableCallback>[0] = async (result) => {
        for (const { name, labels, value } of await samples()) {
          const instrument = instruments.get(name)
          if (instrument) result.observe(instrument, value, labels)
        }
      }
      meter.addBatchObservableCallback(callback, all)
      return () => meter.removeBatchObservableCallback(callback, all)
    },
  }
}
