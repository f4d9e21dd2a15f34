import type { Context } from 'hono'

/** Header of every request of the page. Pages of other origins cannot send it without a preflight, which is refused. */
const pageHeader = 'x-sluice-studio'

/**
 * Returns whether the page itself sent a request. Browsers set `Sec-Fetch-Site`, and pages cannot change it. Requests over
 * plain HTTP to other hosts than this machine lack it; then the header of the page alone must do, with `SameSite=Strict`.
 */
export function isOfPage({ req }: Context): boolean {
  const site = req.header('sec-fetch-site')
  return req.header(pageHeader) !== undefined && (site === undefined || site === 'same-origin')
}
