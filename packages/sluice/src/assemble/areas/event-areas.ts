import {
  type BrowserSdks,
  createCatalogueArea,
  createDeadLettersArea,
  createIngestionArea,
  createJobsArea,
  createReplaysArea,
  createWarehousesArea,
} from '@sluice/http'
import { sharedColumns } from '@sluice/warehouse'
import type { SluiceOptions } from '../../sluice-options.ts'
import type { Base } from '../base.ts'
import type { FlowParts } from '../flow.ts'
import type { OperationsParts } from '../operations.ts'
import type { StoreParts } from '../stores.ts'
import type { Gates } from './gates.ts'
import { installedSdks } from './installed-sdks.ts'
import { queryWarehouse } from './query-warehouse.ts'

/** Creates the areas of events: how they arrive, what is known of their shapes, and what became of those that failed. */
export function createEventAreas(
  { options, clock, random }: Base,
  { store }: StoreParts,
  { engine, catalogue, deadLetters, jobs, replays, workspaces }: FlowParts,
  { bodies }: OperationsParts,
  { gate }: Gates,
) {
  return {
    ingestion: createIngestionArea({
      engine,
      bodies,
      clock,
      random,
      browserSdks: sdksOf(options.browserSdks),
      corsOrigins: options.corsOrigins,
      clientIp: options.clientIp,
    }),
    catalogue: createCatalogueArea({ gate, catalogue, counters: store.counters, sharedColumns }),
    deadLetters: createDeadLettersArea({ gate, deadLetters, clock }),
    jobs: createJobsArea({ gate, jobs }),
    replays: createReplaysArea({ gate, engine: { replays }, deadLetters }),
    warehouses: createWarehousesArea({
      gate,
      engine,
      query: (workspaceId, destinationId, sql, rowsMax) => {
        const workspace = workspaces().find(({ id }) => id === workspaceId)
        return queryWarehouse(workspace, destinationId, sql, rowsMax)
      },
    }),
  }
}

function sdksOf(given: SluiceOptions['browserSdks']): BrowserSdks {
  return given === undefined || !('segment' in given) ? installedSdks(given) : given
}
