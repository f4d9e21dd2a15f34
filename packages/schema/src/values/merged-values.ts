import type { SchemaLimits } from '../schema-limits.ts'
import type { Mentions } from './mentions.ts'
import { type StoredCounter, ValueCounter } from './value-counter.ts'

export interface MergedValues {
  readonly text: string
  readonly leftOut: { readonly keysPerModel: number; readonly valuesPruned: number }
}

/** Parses stored counters, by key path. */
export function parseValues(text: string | undefined): Map<string, ValueCounter> {
  const stored: [string, StoredCounter][] = text === undefined ? [] : JSON.parse(text)
  return new Map(stored.map(([path, counter]) => [path, ValueCounter.fromStored(counter)]))
}

/**
 * Adds counters to those of a stored text, within its limits. The rarest values of the fullest counters are dropped.
 */
export function mergeValues(
  text: string | undefined,
  added: ReadonlyMap<string, ValueCounter>,
  { keysPerModelMax, valueBytesMax }: Pick<SchemaLimits, 'keysPerModelMax' | 'valueBytesMax'>,
): MergedValues {
  const counters = parseValues(text)
  let keysPerModel = 0
  for (const [path, counter] of added) {
    const known = counters.get(path) ?? new ValueCounter()
    if (counters.size < keysPerModelMax || counters.has(path)) counters.set(path, known)
    else keysPerModel += 1
    known.merge(counter)
  }
  let valuesPruned = 0
  let merged = textOfCounters(counters)
  for (let max = largest(counters); merged.length > valueBytesMax && max > 0; ) {
    max = Math.floor(max / 2)
    for (const counter of counters.values()) valuesPruned += counter.prune(max)
    merged = textOfCounters(counters)
  }
  return { text: merged, leftOut: { keysPerModel, valuesPruned } }
}

/** Removes the values that mention users, or that only they had. @returns undefined when there are none. */
export function forgetMentionsInValues(text: string, mentions: Mentions): string | undefined {
  const counters = parseValues(text)
  let found = false
  for (const [path, counter] of counters) found = counter.forgetMentions(mentions, path) || found
  return found ? textOfCounters(counters) : undefined
}

/** Returns the text of counters as `parseValues` reads it: a list of pairs, for an object would lose the order of whole-number keys. */
export function textOfCounters(counters: ReadonlyMap<string, ValueCounter>): string {
  return JSON.stringify([...counters].map(([path, counter]) => [path, counter.toStored()]))
}

function largest(counters: ReadonlyMap<string, ValueCounter>): number {
  let max = 0
  for (const { size } of counters.values()) max = Math.max(max, size)
  return max
}

/** Combines several counters by path into new ones. */
export function uniteCounters(all: readonly ReadonlyMap<string, ValueCounter>[]): ReadonlyMap<string, ValueCounter> {
  const united = new Map<string, ValueCounter>()
  for (const counters of all)
    for (const [path, counter] of counters) {
      const sum = united.get(path) ?? new ValueCounter()
      sum.merge(counter)
      united.set(path, sum)
    }
  return united
}
