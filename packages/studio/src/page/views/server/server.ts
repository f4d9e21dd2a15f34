/** The process that answers, as `GET /v2/server` describes it. */
export interface Server {
  readonly version: string
  readonly startedAt: string
  readonly uptimeSeconds: number
  readonly store: {
    readonly kind?: string
    readonly logBytes?: number
    readonly budgetBytes?: number
    readonly reservedBytes?: number
  }
  /** Where regulations are kept a second time; left out for nowhere. */
  readonly ledger?: string
  readonly retention: { readonly ageMs: number; readonly bytesMax: number; readonly receiptsMax: number }
  /** Times of storing what became of events, and until changes were in force in every process. */
  readonly commits?: Times
  readonly changes?: Times
  readonly cluster?: {
    readonly nodes: number
    readonly lanes: number
    readonly isLeader: boolean
    readonly otherDefinitions: number
    readonly hasOlderDefinition: boolean
  }
}

/** Half took at most that long, and 99 of 100; absent when beyond the last bucket. */
interface Times {
  readonly halfWithinMs?: number
  readonly almostAllWithinMs?: number
  readonly count: number
}

/** One budget, as `GET /v1/usage` shows it. */
export interface Budget {
  readonly budget: string
  readonly unit: 'bytes' | 'count'
  readonly used: number
  readonly limit?: number
  readonly reserved?: number
}

/** All processes that share the store, as `GET /v2/cluster` lists them. */
export interface Cluster {
  readonly processes: readonly {
    readonly id: string
    readonly isThis: boolean
    readonly state: 'serving' | 'starting' | 'draining' | 'silent'
    readonly beatAgeMs: number
    readonly lanes: readonly number[]
    readonly vitals?: {
      readonly cpuShare: number
      readonly memoryBytes: number
      readonly acceptedPerSecond: number
      readonly sentPerSecond: number
    }
  }[]
  readonly lanesWithoutOwner: readonly number[]
}
