import { request } from '../../api/request.ts'
import type { Library, Transformation } from './transformation.ts'

/** All transformations and libraries with their newest versions. */
export interface AllCode {
  readonly transformations: readonly Transformation[]
  readonly libraries: readonly Library[]
}

export async function readAllCode(signal: AbortSignal): Promise<AllCode> {
  const [{ transformations }, { libraries }] = await Promise.all([
    request<Pick<AllCode, 'transformations'>>('/transformations', { signal }),
    request<Pick<AllCode, 'libraries'>>('/libraries', { signal }),
  ])
  return { transformations, libraries }
}
