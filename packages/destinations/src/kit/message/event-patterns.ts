import { compileLinearRegex, type LinearRegex } from '@sluice/core/linear-regex'

/** An entry of the settings that applies to events with a name, or to names that match a regular expression. */
interface NamedEntry {
  readonly eventName?: string
  readonly eventRegex?: boolean
}

type EventPatterns<T extends NamedEntry> =
  | { readonly ok: true /** Returns the first entry that applies to the name. */; find(name: string): T | undefined }
  | { readonly ok: false; readonly problem: string; readonly index: number }

/** Largest length of an event name that is compared with regular expressions. A longer name matches none. */
const nameLengthMax = 200
/**
 * Largest number of steps per character for all expressions of a list together. With the longest name they take at most
 * 20 ms.
 */
const sizeMax = 1_000

const known = new WeakMap<readonly NamedEntry[], EventPatterns<NamedEntry>>()

/**
 * Parses a list of the settings, once for all events. Entries without a name match nothing, because users leave
 * unfinished ones in their settings.
 */
export function eventPatterns<T extends NamedEntry>(entries: readonly T[]): EventPatterns<T> {
  let patterns = known.get(entries)
  if (!patterns) {
    patterns = compile(entries)
    known.set(entries, patterns)
  }
  return patterns as EventPatterns<T>
}

function compile(entries: readonly NamedEntry[]): EventPatterns<NamedEntry> {
  const matchers: { readonly entry: NamedEntry; readonly name: string; readonly regex?: LinearRegex }[] = []
  let size = 0
  for (const [index, entry] of entries.entries()) {
    const name = entry.eventName?.trim()
    if (!name) continue
    if (!entry.eventRegex) {
      matchers.push({ entry, name })
      continue
    }
    const compiled = compileLinearRegex(name)
    if (!compiled.ok) return { ok: false, index, problem: compiled.problem }
    size += compiled.regex.size
    if (size > sizeMax)
      return {
        ok: false,
        index,
        problem: `the regular expressions of the list take more than ${sizeMax} steps per character`,
      }
    matchers.push({ entry, name, regex: compiled.regex })
  }
  return {
    ok: true,
    find: (name) =>
      matchers.find((each) => (each.regex ? name.length <= nameLengthMax && each.regex.test(name) : each.name === name))
        ?.entry,
  }
}
