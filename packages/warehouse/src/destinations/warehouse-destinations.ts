import type { DestinationDefinition } from '@sluice/destinations'
import { takeTurn } from '../engines/duckdb/take-turn.ts'
import { createWorkApart } from '../process/work-apart.ts'
import { createWorkProcesses, type WorkProcesses } from '../process/work-processes.ts'
import { defineWarehouse, type WorkOf, workHere } from './define-warehouse.ts'
import { warehouseProducts } from './warehouse-products.ts'

/** The compiled main file, even when this module runs from its source. */
const main = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/destinations/work-main.js' : './work-main.js',
  import.meta.url,
)

export interface WarehouseDestinationsOptions {
  /** Addresses besides public ones to which warehouses may connect. Default: none. */
  readonly allowAddresses?: readonly string[]
  /**
   * Where warehouses are loaded and searched. `processes`: in processes of their own, started when needed, so that no
   * server and no load can stop or slow this process. `here`: in this process, for programs that may start no others.
   * Default `processes`.
   */
  readonly work?: 'processes' | 'here'
}

/** Returns all warehouses as destination types. */
export function warehouseDestinations({
  allowAddresses = [],
  work = 'processes',
}: WarehouseDestinationsOptions = {}): readonly DestinationDefinition[] {
  const workOf = work === 'here' ? workHere : createWorkOfProcesses(allowAddresses)
  return warehouseProducts(allowAddresses).map((product) => defineWarehouse(product, workOf))
}

/** Of this process: workspaces share them, whatever registries there are. */
let shared: WorkProcesses | undefined

function createWorkOfProcesses(allowAddresses: readonly string[]): WorkOf {
  shared ??= createWorkProcesses(main)
  const processes = shared
  return ({ type, fileOf }, settings, owner = '') => {
    const file = fileOf?.(settings)
    const turn = file === undefined ? {} : { takeTurn: () => takeTurn(file) }
    return createWorkApart({ processes, type, settings, allowAddresses, owner, ...turn })
  }
}
