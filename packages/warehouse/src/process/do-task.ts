import { inSession, loadAtOnce, schemaOf } from '../load/load-rows.ts'
import { planLoads } from '../load/plan/plan-loads.ts'
import type { PrepareOptions } from '../load/prepare-load.ts'
import type { Warehouse } from '../load/warehouse.ts'
import type { TableRow } from '../rows/table-row.ts'
import type { Task, TaskKind, Tasks } from './task.ts'

interface TaskPlace {
  readonly warehouse: Warehouse
  readonly loading: Pick<PrepareOptions, 'mode' | 'nameOf' | 'windowMs'>
  readonly signal: AbortSignal
  /** Asks for the rows of the next load. Resolves with undefined when there are no more loads. */
  nextLoad(): Promise<readonly TableRow[] | undefined>
}

/** Does a task at a warehouse. @throws WarehouseError. */
export async function doTask(
  task: Task,
  { warehouse, loading, signal, nextLoad }: TaskPlace,
): Promise<Tasks[TaskKind]['result']> {
  switch (task.kind) {
    case 'load': {
      const { kind: _, replaces, ...load } = task
      const mode = replaces ? 'replace' : loading.mode
      const rows = (await nextLoad()) ?? []
      return loadAtOnce(warehouse, rows, { ...loading, ...load, mode }, signal)
    }
    case 'plan': {
      const { destinationId, at } = task
      const { live, limits } = await schemaOf(warehouse, signal)
      return planLoads(allLoads(nextLoad), live, { ...loading, destinationId, at, limits })
    }
    case 'settle':
      return inSession(warehouse, signal, (session) => session.settle(task.loadId))
    case 'erase': {
      const { userIds, usersPerBatch } = task
      return inSession(warehouse, signal, (session) => session.erase({ userIds, usersPerBatch, signal }))
    }
    case 'search':
      return inSession(warehouse, signal, (session) => session.search({ userIds: task.userIds, signal }))
    case 'check':
      return inSession(warehouse, signal, async () => null)
  }
}

async function* allLoads(nextLoad: TaskPlace['nextLoad']): AsyncGenerator<readonly TableRow[]> {
  for (let rows = await nextLoad(); rows !== undefined; rows = await nextLoad()) yield rows
}
