import type { JsonObject } from '@sluice/core'

/** Records of a page. RudderStack's clients read further pages by `total` and this. */
const pageSize = 50

/** Returns one page of records in the form of RudderStack's catalogue. */
export function partsPage<T>(all: readonly T[], shown: (one: T) => JsonObject, page = 1): JsonObject {
  return {
    data: all.slice((page - 1) * pageSize, page * pageSize).map(shown),
    total: all.length,
    currentPage: page,
    pageSize,
  }
}
