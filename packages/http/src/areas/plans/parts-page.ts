import type { JsonObject } from '@sluice/core'

/** Records of a page. RudderStack's clients read further pages by `total` and this. */
const pageSize = 50

/** Returns one page of records in the form of RudderStack's catalogue. */
export function partsPage(all: readonly JsonObject[], page = 1): JsonObject {
  return {
    data: all.slice((page - 1) * pageSize, page * pageSize),
    total: all.length,
    currentPage: page,
    pageSize,
  }
}
