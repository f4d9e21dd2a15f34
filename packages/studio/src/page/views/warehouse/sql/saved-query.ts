import { request } from '../../../api/request.ts'

/** A query that was saved, as `GET /v2/saved-queries` lists it. */
export interface SavedQuery {
  readonly id: string
  readonly name: string
  readonly sql: string
}

const path = '/v2/saved-queries'

export async function readSavedQueries(signal: AbortSignal): Promise<readonly SavedQuery[]> {
  return (await request<{ readonly queries: readonly SavedQuery[] }>(path, { signal })).queries
}

/** Saves a query under a name, or other SQL under the id of a saved one. */
export async function saveQuery({
  id,
  ...body
}: Omit<SavedQuery, 'id'> & { readonly id?: string }): Promise<SavedQuery> {
  const [method, place] = id === undefined ? (['POST', path] as const) : (['PUT', `${path}/${id}`] as const)
  return (await request<{ readonly query: SavedQuery }>(place, { method, body })).query
}

export async function deleteQuery(id: string): Promise<void> {
  await request(`${path}/${id}`, { method: 'DELETE' })
}
