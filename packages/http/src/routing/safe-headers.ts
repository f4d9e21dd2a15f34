/**
 * Sets headers of every answer. No cache may store it, because it may contain customer data. No browser may guess
 * another content type, because parts of it come from senders.
 */
export function withSafeHeaders(response: Response): Response {
  response.headers.set('cache-control', 'no-store')
  response.headers.set('x-content-type-options', 'nosniff')
  return response
}
