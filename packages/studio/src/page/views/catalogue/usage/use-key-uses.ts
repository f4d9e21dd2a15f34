import { usePolled } from '../../../api/polled.ts'
import { request } from '../../../api/request.ts'
import { readRecords } from '../../destinations/records.ts'
import { readAllCode } from '../../transformations/all-code.ts'
import type { KeyRow } from '../keys/key-rows.ts'
import type { KeyUse } from './key-uses.ts'

/** Reads what uses keys of an event; `sourceId` is undefined while the event is read. The parser of code is loaded when it is first needed. */
export function useKeyUses(sourceId: string | undefined, rows: readonly KeyRow[]) {
  return usePolled(
    `uses of ${sourceId} ${rows.map(({ path }) => path.join('.')).join(' ')}`,
    async (signal): Promise<readonly KeyUse[]> => {
      if (sourceId === undefined) return []
      const [{ keyUses }, { transformations }, { destinations, connections }, { data }] = await Promise.all([
        import('./key-uses.ts'),
        readAllCode(signal),
        readRecords(signal),
        request<{ readonly data: readonly { readonly destinationId: string }[] }>('/v2/warehouses', { signal }),
      ])
      const warehouses = new Set(data.map(({ destinationId }) => destinationId))
      return keyUses({ rows, sourceId, transformations, destinations, warehouses, connections })
    },
    0,
  ).state.value
}
