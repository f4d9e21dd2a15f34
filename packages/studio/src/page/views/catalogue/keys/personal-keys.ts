import type { CatalogueValues } from '@sluice/http'
import { withoutIndexes } from '../model-changes.ts'

/** What the server puts in place of personal data in samples and values, such as `[email]`, also within a text. */
const masked = /\[(email|phone|card|ip|masked)\]/g

const words: Readonly<Record<string, string>> = { email: 'e-mail', ip: 'IP address', masked: 'masked' }

/**
 * Returns the kinds of personal data by path, lists without their indexes: what was masked in frequent values, which are of
 * all events, and in samples.
 */
export function personalKeys({ samples, frequentValues }: CatalogueValues): ReadonlyMap<string, string> {
  const kinds = new Map<string, Set<string>>()
  const note = (path: string, text: string): void => {
    for (const [, kind = ''] of text.matchAll(masked)) {
      const known = kinds.get(path) ?? new Set()
      kinds.set(path, known.add(words[kind] ?? kind))
    }
  }
  const search = (value: unknown, path: readonly string[]): void => {
    if (typeof value === 'string') note(path.join('.'), value)
    if (Array.isArray(value)) for (const each of value) search(each, path)
    else if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value)) search(member, [...path, name])
  }
  for (const [path, values] of Object.entries(frequentValues))
    for (const { value } of values) note(withoutIndexes(path), value)
  for (const sample of samples) search(sample, [])
  return new Map([...kinds].map(([path, of]) => [path, [...of].join(', ')]))
}

/** Whether a value is personal data as a whole: nothing of it is kept. */
export function isMasked(value: string): boolean {
  return value.replaceAll(masked, '').trim() === '' && value !== ''
}
