/** One load, or an attempt at one, as `GET /v2/warehouses/{id}/loads` shows it. */
export interface Load {
  readonly startedAt: string
  readonly endedAt: string
  readonly events: number
  readonly loadId?: string
  readonly tables?: readonly LoadedTable[]
  readonly others?: { readonly tables: number; readonly rows: number }
  readonly leftOut?: { readonly tables: number; readonly rows: number }
  readonly error?: string
}

export interface LoadedTable {
  readonly table: string
  readonly rows: number
  readonly discards: number
  readonly reasons: readonly { readonly column: string; readonly reason: string; readonly values: number }[]
  readonly newColumns: readonly { readonly name: string; readonly type: string }[]
  readonly isNew: boolean
}

/** A warehouse, as `GET /v2/warehouses` shows it. */
export interface Warehouse {
  readonly destinationId: string
  readonly collected: number
  readonly failingSince?: string
  readonly lastLoad?: Load
}

export interface Conflict {
  readonly table: string
  readonly column: string
  readonly reason: string
}
