import type { JsonObject } from '@sluice/core'
import { createLoaderOf } from '../load/create-loader.ts'
import type { PlannedRows } from '../load/plan/plan-loads.ts'
import type { WarehouseWork } from '../load/warehouse-work.ts'
import type { TableRow } from '../rows/table-row.ts'
import { PackedRows } from './packed-rows.ts'
import type { TaskKind, Tasks } from './task.ts'
import type { Loads } from './work-process.ts'
import type { WorkProcesses } from './work-processes.ts'

interface WorkApartOptions {
  readonly processes: WorkProcesses
  /** Type of the destination. */
  readonly type: string
  /** Complete. */
  readonly settings: JsonObject
  readonly allowAddresses: readonly string[]
  /** The workspace. */
  readonly owner: string
  /** Waits until a local file is free, which only one process can open. @returns what ends the turn. */
  readonly takeTurn?: () => Promise<() => void>
}

/**
 * Does the work of a destination in processes of their own: no driver, no server and no load can stop or slow this
 * process.
 */
export function createWorkApart(options: WorkApartOptions): WarehouseWork {
  const { processes, type, settings, allowAddresses, owner, takeTurn } = options

  async function run<Kind extends TaskKind>(
    kind: Kind,
    given: Tasks[Kind]['given'],
    signal: AbortSignal,
    loads: Loads = [][Symbol.iterator](),
  ): Promise<Tasks[Kind]['result']> {
    const endTurn = await takeTurn?.()
    try {
      return await processes.run(owner, { type, settings, allowAddresses }, { kind, ...given }, loads, signal)
    } finally {
      endTurn?.()
    }
  }

  const oneLoad = (rows: PackedRows): Loads => [rows][Symbol.iterator]()

  return {
    loader(bounds, place) {
      const collected = new PackedRows()
      return createLoaderOf(collected, new PackedRows(), bounds, place, {
        load: (load, signal) => run('load', load, signal, oneLoad(collected)),
        plan: (rows, load, signal) => run('plan', load, signal, packedLoads(rows)),
        settle: (loadId, signal) => run('settle', { loadId }, signal),
      })
    },
    loadAtOnce: (rows, load, signal) => run('load', { ...load, replaces: true }, signal, oneLoad(packed(rows))),
    erase: (userIds, usersPerBatch, signal) => run('erase', { userIds, usersPerBatch }, signal),
    search: (userIds, signal) => run('search', { userIds }, signal),
    check: async (signal) => void (await run('check', {}, signal)),
  }
}

function packed(rows: Iterable<TableRow>): PackedRows {
  const collected = new PackedRows()
  for (const row of rows) collected.add(row)
  return collected
}

async function* packedLoads(loads: PlannedRows): AsyncGenerator<PackedRows> {
  for await (const rows of loads) yield packed(rows)
}
