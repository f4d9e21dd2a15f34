import { request } from './request.ts'

interface NamedType {
  readonly type: string
  readonly otherTypes?: readonly string[]
  readonly displayName: string
}

let reading: Promise<ReadonlyMap<string, string>> | undefined

/**
 * Returns the names of destination types as people call them, by type: `HubSpot` for `HS`. They are read once for a page; while
 * they cannot be read, the map is empty.
 */
export async function readTypeNames(): Promise<ReadonlyMap<string, string>> {
  reading ??= request<readonly NamedType[]>('/destination-definitions').then(
    (types) =>
      new Map(
        types.flatMap(({ type, otherTypes = [], displayName }) =>
          [type, ...otherTypes].map((each) => [each, displayName] as const),
        ),
      ),
  )
  try {
    return await reading
  } catch {
    reading = undefined
    return new Map()
  }
}
