/**
 * Headers of every answer. No cache may store it, because it may contain customer data; only files of the page, which have
 * none, say otherwise. No browser may guess another
 * content type, because parts of it come from senders.
 */
export const safeHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const

/** Sets the headers of every answer. */
export function withSafeHeaders(response: Response): Response {
  for (const [name, value] of Object.entries(safeHeaders))
    if (!response.headers.get(name)?.startsWith('public')) response.headers.set(name, value)
  return response
}
