import { InvariantError, type JsonObject, type Workspace } from '@sluice/core'
import type { DestinationDefinition } from '@sluice/destinations'
import type { KnownParts, ParseContext } from '../definition/parse-context.ts'
import { parseWorkspaces } from '../definition/parse-workspaces.ts'
import type { Problem } from '../definition/problems/problem.ts'
import { type ConfigurationRecord, keyText } from './configuration-record.ts'
import { elementOf, mergeRecords, pairOf } from './merge-records.ts'
import type { Part, PartKind, PartValues, WorkspaceParts } from './workspace-parts.ts'

export interface RecordContext extends Omit<ParseContext, 'yields' | 'known' | 'hasOthers'> {
  /** Returns what is allowed instead of a destination that only the definition may have, or have with such settings. */
  readonly storedRefusal?: (
    definition: DestinationDefinition,
    settings: JsonObject,
    workspaceId: string,
  ) => string | undefined
}

/** A part as a stored record defines it. */
export type ParsedPart = {
  readonly [Kind in PartKind]: { readonly kind: Kind; readonly part: Part<PartValues[Kind]> }
}[PartKind]

interface ParsedRecords {
  /** In the order of the records, those of the invalid ones left out. */
  readonly parts: readonly ParsedPart[]
  /** What is wrong with the others, by `keyText`. Paths are within the record. */
  readonly invalid: ReadonlyMap<string, readonly Problem[]>
}

/**
 * Parses records of one workspace by the same rules as a workspace file, and costs what these records have. Whether another
 * one has the same write key or token is not checked.
 * @param known the sources and destinations that connections may name besides those of these records.
 */
export function parseRecords(
  workspace: Pick<WorkspaceParts, 'id' | 'credentialVariables'>,
  records: readonly ConfigurationRecord[],
  { known, hasOthers }: { readonly known: KnownParts; readonly hasOthers: boolean },
  { storedRefusal, ...context }: RecordContext,
): ParsedRecords {
  const { id, credentialVariables } = workspace
  const empty: JsonObject = {
    id,
    sources: [],
    destinations: [],
    connections: [],
    credentialVariables: credentialVariables ? [...credentialVariables] : undefined,
  }
  const invalid = new Map<string, Problem[]>()
  for (;;) {
    const used = records.filter((record) => !invalid.has(keyText(record)))
    const merged = mergeRecords({ workspaces: [empty] }, used)
    const parsed = parseWorkspaces(merged.definition, {
      ...context,
      hasOthers,
      known: () => known,
      yields: () => true,
      refusal: (type, settings, path) => context.refusal?.(type, settings, path) ?? storedRefusal?.(type, settings, id),
    })
    const [meant] = parsed.workspaces
    if (parsed.problems.length === 0 && meant) {
      const unfinished = new Map<string, Problem[]>()
      for (const problem of parsed.unfinished) {
        const key = merged.keyAt(problem.path)
        const ofOne = key && (unfinished.get(keyText(key)) ?? [])
        ofOne?.push({ ...problem, path: withinRecord(problem.path) })
        if (key && ofOne) unfinished.set(keyText(key), ofOne)
      }
      return { parts: partsOf(used, meant, unfinished), invalid }
    }
    for (const problem of parsed.problems) {
      const key = merged.keyAt(problem.path)
      if (key === undefined)
        throw new InvariantError(`records of workspace ${id} are invalid at ${problem.path}, where there is none`)
      const ofOne = invalid.get(keyText(key))
      const within = { ...problem, path: withinRecord(problem.path) }
      if (ofOne) ofOne.push(within)
      else invalid.set(keyText(key), [within])
    }
  }
}

/** `workspaces[0].sources[1].writeKey` → `writeKey`; of a credential, `value` */
export function withinRecord(path: string): string {
  if (/^workspaces\[\d+\]\.credentials\./.test(path)) return 'value'
  return path.replace(/^workspaces\[\d+\]\.(?:\w+\[\d+\]\.?)?/, '')
}

function partsOf(
  records: readonly ConfigurationRecord[],
  meant: Workspace,
  unfinished: ReadonlyMap<string, readonly Problem[]>,
): readonly ParsedPart[] {
  const sources = meant.sources.values()
  const destinations = meant.destinations.values()
  const tokens = meant.accessTokens.values()
  const connections = new Map(
    meant.connections.map((each) => [pairOf({ source: each.sourceId, destination: each.destinationId }), each]),
  )
  return records.flatMap((record): ParsedPart[] => {
    const { kind, id, body } = record
    const of = <T>(value: T) => ({ id, record, element: elementOf(record), value })
    if (kind === 'source') return [{ kind, part: of(next(sources)) }]
    if (kind === 'destination') {
      const problems = unfinished.get(keyText(record))
      return [{ kind, part: { ...of(next(destinations)), unfinished: problems } }]
    }
    if (kind === 'token') return [{ kind, part: of(next(tokens)) }]
    if (kind === 'connection') return [{ kind, part: of(connections.get(pairOf(body))) }]
    return kind === 'credential' ? [{ kind, part: of(meant.credentials?.[id] ?? '') }] : []
  })
}

/** The parsed parts are in the order of the records that they come from. */
function next<T>(values: IterableIterator<T>): T {
  const { value, done } = values.next()
  if (done) throw new InvariantError('a record has no parsed part')
  return value
}
