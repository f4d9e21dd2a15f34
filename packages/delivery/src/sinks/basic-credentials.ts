/** Returns user and password of a `Basic …` header, which requests to sinks use; undefined when there is none. */
export function basicCredentials(authorization: string | undefined): readonly [string, string] | undefined {
  const encoded = /^Basic (.+)$/.exec(authorization ?? '')?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  return [text.slice(0, colon), text.slice(colon + 1)]
}
