/** The two parts of `Basic …`, which is how requests to sinks carry credentials. Undefined when there are none. */
export function basicCredentials(authorization: string | undefined): readonly [string, string] | undefined {
  const encoded = /^Basic (.+)$/.exec(authorization ?? '')?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  return [text.slice(0, colon), text.slice(colon + 1)]
}
