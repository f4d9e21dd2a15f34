/** Numbers that a probe has, one row of the memory for each kind. */
export const probeRows = { hits: 0, times: 1, pieces: 2 } as const

/** What a thread needs to know of probes; plain data that crosses to it. */
export interface ProbeMemory {
  /** Probes there are; ids go from 0 to one less. */
  readonly count: number
  /** Whether time is counted beside hits. */
  readonly isTimed: boolean
  /** 32-bit numbers: how many probes are taken, then rows of `count`, see probeRows; only the first one unless timed. */
  readonly memory: SharedArrayBuffer
}

/**
 * Counters that instrumented user code writes, for coverage and line profiles; see `SandboxOptions.probes`. They lie in
 * memory that all threads share, so nothing that ends a run takes back what was counted.
 */
export interface Probes extends ProbeMemory {
  /** Gives out ids that nobody has yet: `n` in a row, by the first; undefined when there are no more so many. */
  take(n: number): number | undefined
  /** How often a probe was passed; from 2³² on it begins again. */
  hits(probe: number): number
  /** Time spent at a probe in ms, by a clock of whole milliseconds: right in the sum, not for a single piece. Only when timed. */
  timeMs(probe: number): number
  /** Pieces that time is made of: each of them has the cost of one mark in it. Only when timed. */
  pieces(probe: number): number
  /** Sets all counts to 0; not to be used while code runs. */
  clear(): void
}

/** More would take longer to put back before each batch than the batch takes. */
const countMax = 1024 * 1024

/**
 * Makes counters, all 0. Each machine of a sandbox keeps 4 bytes per probe in the guest (12 when timed), so `count` should
 * be what is needed.
 *
 * @param count whole number from 1 to 1,048,576.
 * @throws RangeError when count is not.
 */
export function createProbes(count: number, { isTimed = false }: { readonly isTimed?: boolean } = {}): Probes {
  if (!Number.isSafeInteger(count) || count < 1 || count > countMax)
    throw new RangeError(`the number of probes is ${count}, must be a whole number from 1 to ${countMax}`)
  const memory = new SharedArrayBuffer((1 + count * rowsOf(isTimed)) * Uint32Array.BYTES_PER_ELEMENT)
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
export function partsOf(memory: SharedArrayBuffer): readonly [taken: Uint32Array, rows: Uint32Array] {
  return [new Uint32Array(memory, 0, 1), new Uint32Array(memory, Uint32Array.BYTES_PER_ELEMENT)]
}

export const rowsOf = (isTimed: boolean): number => (isTimed ? Object.keys(probeRows).length : 1)
