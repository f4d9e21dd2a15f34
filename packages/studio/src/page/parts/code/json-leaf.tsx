/** A string that stands for personal data: `[email]`. */
const masked = /^\[([a-z]+(?:-[a-z]+)*)\]$/

/** One value of JSON that has no members, in its colour. */
export function JsonLeaf({ value }: { readonly value: unknown }) {
  if (typeof value === 'string') {
    const [, kind] = masked.exec(value) ?? []
    if (kind !== undefined) return <span class="masked" title={value}>{`${kind}, masked`}</span>
    return <span class="c-text">{JSON.stringify(value)}</span>
  }
  if (typeof value === 'number') return <span class="c-number">{value}</span>
  return <span class="c-word">{JSON.stringify(value) ?? 'undefined'}</span>
}
