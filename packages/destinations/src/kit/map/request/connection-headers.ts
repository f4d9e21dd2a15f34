const owned = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/**
 * Returns whether a header belongs to the connection and not to the content. `Host` could lead a request to another
 * site of the same server, and `Content-Length` could split it in two, so settings and events cannot set them. Source:
 * Fetch Standard, forbidden request-header; RFC 9110, 7.2 and 7.6.
 */
export function isConnectionHeader(name: string): boolean {
  const key = name.trim().toLowerCase()
  return owned.has(key) || key.startsWith('proxy-')
}
