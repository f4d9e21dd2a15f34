const mebibyte = 1024 * 1024

/** What user code may use. Every limit fails the event that met it, not the process. */
export interface SandboxLimits {
  /** Running time of `transformEvent` for one event, the work it left behind included; also of loading a module. */
  readonly eventTimeMs: number
  /** Running time of a batch; events that no time is left for fail. Also that of one `transformBatch` call. */
  readonly batchTimeMs: number
  /** Time from the start of an event until its promise settles, waits for host calls included. Nothing waits for the host yet. */
  readonly asyncTimeMs: number
  /** All memory of the engine: 16 MiB that it starts with (its own stack of 5 MiB and its data included) and what user code adds. */
  readonly memoryBytes: number
  /**
   * Stack of user code, as the engine counts it; 32 KiB is about 180 nested calls. Above 32 KiB, deep recursion can
   * use up the stack of the host before the engine notices. That is contained, but costs the engine (some ms).
   */
  readonly stackBytes: number
  /** JSON text of everything returned for one event, in UTF-8. */
  readonly outputBytesPerEvent: number
  /** Log lines of one event, as JSON text; a character counts as one byte. What is beyond is cut. */
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
