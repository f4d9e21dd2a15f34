import type { JsonObject } from '@sluice/core'
import type { DestinationDefinition } from '@sluice/destinations'
import type { ParseContext } from '../definition/parse-context.ts'
import { type ParsedWorkspaces, parseWorkspaces } from '../definition/parse-workspaces.ts'
import type { Problem } from '../definition/problem.ts'
import { type ConfigurationRecord, keyText } from './configuration-record.ts'
import { type MergedDefinition, mergeRecords } from './merge-records.ts'
import { withPauses } from './with-pauses.ts'

export interface ResolvedConfiguration extends ParsedWorkspaces, MergedDefinition {
  /** Why stored records are not in use, by `keyText`. Paths are within the record. */
  readonly leftOut: ReadonlyMap<string, readonly Problem[]>
}

export interface ResolveContext extends ParseContext {
  /** Returns what is allowed instead of a destination that only the definition may have, or have with such settings. */
  readonly storedRefusal?: (
    definition: DestinationDefinition,
    settings: JsonObject,
    workspaceId: string,
  ) => string | undefined
}

/**
 * Parses a definition together with stored records. A record that is invalid, or that refers to one, is left out, so
 * that a type that is gone stops nothing else. What the definition has wins over records with the same key.
 *
 * @returns `problems`: those of the definition itself.
 */
export function resolveRecords(
  definition: unknown,
  records: readonly ConfigurationRecord[],
  { storedRefusal, ...context }: ResolveContext,
): ResolvedConfiguration {
  const leftOut = new Map<string, Problem[]>()
  for (;;) {
    const used = records.filter((record) => !leftOut.has(keyText(record)))
    const merged = mergeRecords(definition, used)
    const parsed = parseWorkspaces(merged.definition, {
      ...context,
      yields: (path) => merged.keyAt(path) !== undefined,
      refusal: (type, settings, path) => {
        const key = merged.keyAt(path)
        return context.refusal?.(type, settings, path) ?? (key && storedRefusal?.(type, settings, key.workspaceId))
      },
    })
    const before = leftOut.size
    for (const problem of parsed.problems) {
      const key = merged.keyAt(problem.path)
      if (key === undefined) continue
      const known = leftOut.get(keyText(key)) ?? []
      leftOut.set(keyText(key), [...known, { ...problem, path: within(problem.path) }])
    }
    if (leftOut.size === before)
      return { ...parsed, ...merged, leftOut, workspaces: withPauses(parsed.workspaces, used) }
  }
}

/** `workspaces[0].sources[1].writeKey` → `writeKey`; of a credential, `value` */
function within(path: string): string {
  if (/^workspaces\[\d+\]\.credentials\./.test(path)) return 'value'
  return path.replace(/^workspaces\[\d+\]\.(?:\w+\[\d+\]\.?)?/, '')
}
