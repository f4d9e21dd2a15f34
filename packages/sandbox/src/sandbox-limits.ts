import type { DecodeLimits } from './crossing/decoder.ts'

const mebibyte = 1024 * 1024

/** What user code may use. Every limit fails the event that met it, not the process. */
export interface SandboxLimits {
  /** Running time of `transformEvent` for one event, the work it left behind included; also of loading a module. */
  readonly eventTimeMs: number
  /** Running time of a batch; events that no time is left for fail. Also that of one `transformBatch` call. */
  readonly batchTimeMs: number
  /** Time from the start of an event until its promise settles, waits for host calls included. */
  readonly asyncTimeMs: number
  /** All memory of the engine: 16 MiB that it starts with (its own stack of 5 MiB and its data included) and what user code adds. */
  readonly memoryBytes: number
  /**
   * Stack of user code, as the engine counts it. In worker threads 256 KiB by default, about 1,400 nested calls. In
   * process 32 KiB, about 180: above that, deep recursion can use up the stack of the host before the engine notices,
   * which is contained, but costs the engine (some ms).
   */
  readonly stackBytes: number
  /** JSON text of everything returned for one event, in UTF-8. */
  readonly outputBytesPerEvent: number
  /** Log lines of one event, in UTF-8, with one byte for the end of each. What is beyond is cut. */
  readonly logBytesPerEvent: number
  /** Events that may be returned for one event. */
  readonly fanOutMax: number
}

export const defaultSandboxLimits: SandboxLimits = {
  eventTimeMs: 1_000,
  batchTimeMs: 4_000,
  asyncTimeMs: 10_000,
  memoryBytes: 64 * mebibyte,
  stackBytes: 32 * 1024,
  outputBytesPerEvent: 4 * mebibyte,
  logBytesPerEvent: 64 * 1024,
  fanOutMax: 100,
}

const lowest: Partial<SandboxLimits> = { memoryBytes: 24 * mebibyte, stackBytes: 16 * 1024 }

/** Completes limits with the defaults. @throws RangeError when one is not a whole number, or too small to work with. */
export function completeLimits(given: Partial<SandboxLimits>): SandboxLimits {
  const limits = { ...defaultSandboxLimits, ...given }
  for (const key of Object.keys(defaultSandboxLimits) as (keyof SandboxLimits)[]) {
    const least = lowest[key] ?? 1
    const value = limits[key]
    if (!Number.isSafeInteger(value) || value < least)
      throw new RangeError(`sandbox limit ${key} is ${value}, must be a whole number of at least ${least}`)
  }
  return limits
}

/** Levels of a returned event, below the two lists it crosses in. */
const depthMax = 1_000
const valuesMax = 20_000
/** The texts of an exception, cut to length in the guest. */
const exceptionChars = 12_000

/** What an answer of a guest may come to, for `eventCount` events. Host calls give away as much as one event does. */
export function answerDecodeLimits(limits: SandboxLimits, eventCount = 1): DecodeLimits {
  // A character of a log takes six in JSON, escaped.
  const chars = limits.outputBytesPerEvent + 6 * limits.logBytesPerEvent + exceptionChars
  return { depthMax: depthMax + 2, valuesMax: valuesMax * eventCount, charsMax: chars * eventCount }
}
