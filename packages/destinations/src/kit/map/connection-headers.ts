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
 * Answers whether a header belongs to the connection and not to what is sent over it: `Host` would lead a request to another
 * site of the same server, `Content-Length` split it in two. No settings and no event decide them. Source: Fetch Standard,
 * forbidden request-header; RFC 9110, 7.2 and 7.6.
 */
export function isConnectionHeader(name: string): boolean {
  const key = name.trim().toLowerCase()
  return owned.has(key) || key.startsWith('proxy-')
}
