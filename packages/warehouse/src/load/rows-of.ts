import type { JsonObject } from '@sluice/core'
import type { DeliveryRequest } from '@sluice/destinations'
import type { TableRow } from '../rows/table-row.ts'

/** Returns the rows that a request carries. */
export function rowsOf({ body }: DeliveryRequest): readonly TableRow[] {
  const { rows } = body.JSON as JsonObject & { readonly rows?: readonly TableRow[] }
  return rows ?? []
}
