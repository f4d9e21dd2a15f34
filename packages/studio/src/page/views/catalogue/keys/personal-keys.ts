/** What the server puts in place of personal data in samples, such as `[email]`. */
const masked = /^\[([a-z][a-z -]*)\]$/

const words: Readonly<Record<string, string>> = { email: 'e-mail', ip: 'IP address' }

/**
 * Returns the kind of personal data by path, lists without their indexes: what was masked in samples.
 * @param samples events whose personal data is masked.
 */
export function personalKeys(samples: readonly unknown[]): ReadonlyMap<string, string> {
  const kinds = new Map<string, string>()
  const search = (value: unknown, path: readonly string[]): void => {
    const [, kind] = typeof value === 'string' ? (masked.exec(value) ?? []) : []
    if (kind !== undefined) kinds.set(path.join('.'), words[kind] ?? kind)
    if (Array.isArray(value)) for (const each of value) search(each, path)
    else if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value)) search(member, [...path, name])
  }
  for (const sample of samples) search(sample, [])
  return kinds
}
