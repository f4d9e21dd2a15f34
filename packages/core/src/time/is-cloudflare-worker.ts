/**
 * Returns whether this is a Worker of Cloudflare. There the clock stands still while code runs, and what waits for
 * input and output belongs to one request.
 */
export function isCloudflareWorker(): boolean {
  // TypeScript's libraries declare this member of the Web API for browsers only.
  const { navigator } = globalThis as { readonly navigator?: { readonly userAgent?: string } }
  return navigator?.userAgent === 'Cloudflare-Workers'
}
