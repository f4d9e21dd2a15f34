import type { JsonObject } from '@sluice/core'
import type { DeliveryRequest } from '@sluice/destinations'
import type { TableRow } from '../rows/table-row.ts'

/** Returns the rows that a request carries. @throws TypeError when one has not as many values and types as names. */
export function rowsOf({ body }: DeliveryRequest): readonly TableRow[] {
  const { rows = [] } = body.JSON as JsonObject & { readonly rows?: readonly TableRow[] }
  for (const { table, names, types, values } of rows)
    if (values?.length !== names?.length || types?.length !== names?.length || names === undefined)
      throw new TypeError(`a row of ${table} has not as many values and types as names`)
  return rows
}

/** The requests of loads, one load after the other. */
type LoadRequests = Iterable<readonly DeliveryRequest[]> | AsyncIterable<readonly DeliveryRequest[]>

/** Returns the rows that the requests of loads carry, those of one load at a time. */
export async function* rowsOfLoads(loads: LoadRequests): AsyncGenerator<readonly TableRow[]> {
  for await (const requests of loads) yield requests.flatMap(rowsOf)
}
