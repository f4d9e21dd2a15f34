/**
 * Sets what every answer carries: no cache may keep it, because it may hold data of customers, and no browser may take it for
 * anything but what it says it is, because some of it comes from senders.
 */
export function withSafeHeaders(response: Response): Response {
  response.headers.set('cache-control', 'no-store')
  response.headers.set('x-content-type-options', 'nosniff')
  return response
}
