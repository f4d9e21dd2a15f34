/** One thing to measure, made when its turn comes. */
export interface BenchCase {
  readonly name: string
  /** Undefined when it cannot be measured here; it says why by itself. */
  open(): Promise<OpenCase | undefined> | OpenCase | undefined
}

export interface OpenCase {
  /** How many events one call works on. */
  readonly events: number
  /** Throws when the answer is wrong: first right, then fast. */
  check(): Promise<void> | void
  run(): Promise<void> | void
  close?(): Promise<void>
}

export interface CaseResult {
  readonly name: string
  readonly eventsPerSecond: number
  /**
   * Time per event in units of RT: what V8 takes for JSON.stringify(JSON.parse(text)) of one event in the same process.
   * Depends on the version of Node, which the report names.
   */
  readonly rt: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly samples: number
}

export interface Timed {
  readonly cases: readonly CaseResult[]
  /** RT, in seconds. */
  readonly rtSeconds: number
}

/** Measures cases, and the round trip between them. */
export type Measure = (cases: readonly BenchCase[], roundTrip: OpenCase) => Promise<Timed>
