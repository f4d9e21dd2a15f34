import type { ConfigurationEntry } from '@sluice/configuration'
import { defined } from '@sluice/core/defined'
import type { Static } from 'typebox'
import { type PageQuery, pageMax } from './configuration-schemas.ts'

interface Page {
  readonly entries: readonly ConfigurationEntry[]
  readonly paging: { readonly total: number; readonly next?: string }
}

/** Returns one page of entries. @param path of the list, for the address of the next page. */
export function pageOf(
  path: string,
  all: readonly ConfigurationEntry[],
  { page = 1, limit = pageMax, hasExternalId }: Static<typeof PageQuery>,
): Page {
  const chosen =
    hasExternalId === undefined ? all : all.filter(({ externalId }) => (externalId !== undefined) === hasExternalId)
  const end = page * limit
  const next = new URLSearchParams(
    defined({
      page: String(page + 1),
      limit: limit === pageMax ? undefined : String(limit),
      hasExternalId: hasExternalId === undefined ? undefined : String(hasExternalId),
    }),
  )
  return {
    entries: chosen.slice(end - limit, end),
    paging: defined({ total: chosen.length, next: end < chosen.length ? `${path}?${next}` : undefined }),
  }
}
