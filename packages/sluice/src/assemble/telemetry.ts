import { joinTelemetry, type Telemetry } from '@sluice/pipeline'
import type { SluiceOptions } from '../sluice-options.ts'
import { type Instruments, measureInto } from '../telemetry/instruments.ts'
import type { OpenTelemetry, OpenTelemetryApi } from '../telemetry/open-telemetry.ts'
import { createProcessVitals } from '../telemetry/process-vitals.ts'
import { createMeasuredSamples, type MeasuredSamples } from '../telemetry/samples/measured-samples.ts'

export interface TelemetryParts {
  /** What `/metrics` shows beside what is stored. */
  readonly measured: MeasuredSamples
  /** Set with the option `telemetry: 'opentelemetry'`. */
  readonly exported: OpenTelemetry | undefined
  readonly instruments: readonly Instruments[]
  readonly vitals: ReturnType<typeof createProcessVitals>
  /** Gets what the pipeline measures. */
  readonly telemetry: Telemetry | undefined
}

/**
 * Builds what measures: for `/metrics`, for OpenTelemetry, and for the embedding program.
 * @throws RangeError when the optional package is not installed.
 */
export async function openTelemetry({ telemetry: given }: SluiceOptions): Promise<TelemetryParts> {
  const exported = given === 'opentelemetry' ? await loadOpenTelemetry() : undefined
  const measured = createMeasuredSamples()
  const vitals = createProcessVitals()
  const others = [exported?.telemetry, given].filter((each) => typeof each === 'object')
  return {
    measured,
    exported,
    instruments: exported ? [measured, exported.instruments] : [measured],
    vitals,
    telemetry: joinTelemetry([...others, measureInto(measured), vitals.telemetry]),
  }
}

async function loadOpenTelemetry(): Promise<OpenTelemetry> {
  try {
    // Not as a constant: bundlers would insist on a package that only few install.
    const name = ['@opentelemetry', 'api'].join('/')
    const { createOpenTelemetry } = await import('../telemetry/open-telemetry.ts')
    return createOpenTelemetry((await import(name)) as OpenTelemetryApi)
  } catch (cause) {
    throw new RangeError("telemetry: 'opentelemetry' needs the package @opentelemetry/api; install it", { cause })
  }
}
