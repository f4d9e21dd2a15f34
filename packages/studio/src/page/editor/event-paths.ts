/** A key path of events that were seen, and in which share of them it is, from 0 to 1. */
export interface KeyPath {
  readonly path: string
  readonly share: number
}

/**
 * Returns the keys that can follow in code such as `event.properties.`, the most frequent first.
 * @param text the code from `event` to the cursor.
 */
export function eventPaths(
  text: string,
  paths: readonly KeyPath[],
): readonly { readonly key: string; readonly detail: string }[] {
  const given = text.replaceAll('?', '').split('.').slice(1, -1)
  const prefix = given.map((key) => `${key}.`).join('')
  const shares = new Map<string, number>()
  for (const { path, share } of paths) {
    if (!path.startsWith(prefix)) continue
    const key = path.slice(prefix.length).split('.')[0] ?? ''
    if (/^[\w$]+$/.test(key)) shares.set(key, Math.max(share, shares.get(key) ?? 0))
  }
  return [...shares]
    .sort(([a, ofA], [b, ofB]) => ofB - ofA || (a < b ? -1 : 1))
    .map(([key, share]) => ({ key, detail: `in ${Math.round(share * 100)} % of events` }))
}
