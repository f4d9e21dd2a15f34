/** Rows of probe memory, one per kind of number. */
export const probeRows = { hits: 0, times: 1, pieces: 2 } as const

/** Probe memory as passed to threads. */
export interface ProbeMemory {
  /** Number of probes; ids are 0 to count - 1. */
  readonly count: number
  /** Whether time is measured in addition to hits. */
  readonly isTimed: boolean
  /**
   * 32-bit numbers: the number of assigned probes, then rows of `count`, see probeRows; only the first row unless
   * timed.
   */
  readonly memory: SharedArrayBuffer | ArrayBuffer
}

/**
 * Counters written by instrumented user code, for coverage and line profiles; see `SandboxOptions.probes`. They are in
 * memory shared by all threads, so counts survive the termination of a run.
 */
export interface Probes extends ProbeMemory {
  /** Assigns `n` consecutive unused ids and returns the first; undefined when too few are left. */
  take(n: number): number | undefined
  /** Number of times a probe was passed. Wraps at 2³². */
  hits(probe: number): number
  /**
   * Time spent at a probe in ms, by a clock with a resolution of 1 ms: accurate in total, not for a single period. Only
   * when timed.
   */
  timeMs(probe: number): number
  /** Number of periods that the time consists of, each with the cost of one mark. Only when timed. */
  pieces(probe: number): number
  /** Resets all counts to 0. Must not be called while code runs. */
  clear(): void
}

/** Restoring more before each batch would take longer than the batch. */
const countMax = 1024 * 1024

/**
 * Creates counters, all 0. Each machine of a sandbox keeps 4 bytes per probe in the guest (12 when timed), so choose
 * `count` no larger than needed.
 *
 * @param count whole number from 1 to 1,048,576.
 * @throws RangeError otherwise.
 */
export function createProbes(count: number, { isTimed = false }: { readonly isTimed?: boolean } = {}): Probes {
  if (!Number.isSafeInteger(count) || count < 1 || count > countMax)
    throw new RangeError(`the number of probes is ${count}, must be a whole number from 1 to ${countMax}`)
  const bytes = (1 + count * rowsOf(isTimed)) * Uint32Array.BYTES_PER_ELEMENT
  // Browsers have shared memory only in isolated pages. Without threads, none is needed.
  const memory = typeof SharedArrayBuffer === 'undefined' ? new ArrayBuffer(bytes) : new SharedArrayBuffer(bytes)
  const [taken, numbers] = partsOf(memory)
  const read = (row: number, probe: number): number => (probe < count ? (numbers[row * count + probe] ?? 0) : 0)
  return {
    count,
    isTimed,
    memory,
    take: (n) => {
      const first = taken[0] ?? 0
      if (first + n > count) return undefined
      taken[0] = first + n
      return first
    },
    hits: (probe) => read(probeRows.hits, probe),
    timeMs: (probe) => read(probeRows.times, probe),
    pieces: (probe) => read(probeRows.pieces, probe),
    clear: () => {
      numbers.fill(0)
    },
  }
}

/** How many probes are taken, in an array of one, and the rows. */
export function partsOf(memory: ProbeMemory['memory']): readonly [taken: Uint32Array, rows: Uint32Array] {
  return [new Uint32Array(memory, 0, 1), new Uint32Array(memory, Uint32Array.BYTES_PER_ELEMENT)]
}

export const rowsOf = (isTimed: boolean): number => (isTimed ? Object.keys(probeRows).length : 1)
