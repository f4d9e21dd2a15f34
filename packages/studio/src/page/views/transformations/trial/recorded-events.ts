import type { CatalogueModels, CatalogueValues } from '@sluice/http'
import { request } from '../../../api/request.ts'

/** Events of the catalogue that a run is tried on: of the models with most events, some each. */
const modelsMax = 5
const samplesMax = 2

/** Returns recorded events, personal data masked. @throws ApiError without the scope `operate`. */
export async function recordedEvents(): Promise<readonly unknown[]> {
  const { models } = await request<CatalogueModels>('/v2/catalogue/models')
  const frequent = [...models].sort((a, b) => b.totalCount - a.totalCount).slice(0, modelsMax)
  const values = await Promise.all(
    frequent.map(({ id }) => request<CatalogueValues>(`/v2/catalogue/models/${encodeURIComponent(id)}/values`)),
  )
  return values.flatMap(({ samples }) => samples.slice(0, samplesMax))
}
