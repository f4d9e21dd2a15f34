import { isJsonObject } from '@sluice/core'
import type { KnownParts } from '../definition/parse-context.ts'
import type { ParsedWorkspaces } from '../definition/parse-workspaces.ts'
import type { Problem } from '../definition/problems/problem.ts'
import type { ConfigurationRecord, RecordKey, RecordKind } from './configuration-record.ts'
import {
  type EffectiveConfiguration,
  EffectiveDraft,
  type LeftOut,
  noConfiguration,
} from './effective-configuration.ts'
import type { RecordContext } from './parse-records.ts'
import { type InTurn, preparePlanOf, preparePlans } from './prepare-plans.ts'
import type { Part } from './workspace-parts.ts'

/** Records that are parsed in one turn: a few milliseconds. */
const recordsPerTurn = 50
/** Kinds in the order in which they are put: each may name only parts of earlier ones. */
const phases: readonly (readonly RecordKind[])[] = [
  ['workspace'],
  ['source', 'destination', 'pause'],
  ['connection', 'token', 'credential'],
]

export interface ResolvedConfiguration {
  readonly next: EffectiveConfiguration
  /** To be called once it is in effect. */
  settle(): void
}

interface ResolvedDefinition extends ResolvedConfiguration {
  readonly parsed: ParsedWorkspaces
  /** Those of the definition itself. */
  readonly problems: readonly Problem[]
}

/**
 * Parses a definition together with all stored records. A record that is invalid, or that refers to one, is left out, so
 * that a type that is gone stops nothing else. What the definition has wins over records with the same key.
 */
export async function resolveRecords(
  definition: unknown,
  records: readonly ConfigurationRecord[],
  context: RecordContext,
  inTurn: InTurn,
): Promise<ResolvedDefinition> {
  const draft = new EffectiveDraft(noConfiguration, context)
  await preparePlans(definition, inTurn)
  // Without a workspace of its own, a definition is right as long as there are stored ones.
  const parsed = leavesToRecords(definition, records) ? nothing : draft.define(definition, storedIds(records))
  if (parsed.problems.length === 0) await putAll(draft, records, inTurn)
  const problems = parsed.problems.length > 0 ? parsed.problems : draft.unknownInFile(definition)
  return { ...draft.finish(), parsed, problems }
}

const nothing: ParsedWorkspaces = { workspaces: [], problems: [], transformations: [], unfinished: [] }

function leavesToRecords(definition: unknown, records: readonly ConfigurationRecord[]): boolean {
  const listed = isJsonObject(definition) ? definition['workspaces'] : undefined
  return Array.isArray(listed) && listed.length === 0 && records.some(({ kind }) => kind === 'workspace')
}

/** What changes of records result in. */
export interface ResolvedChange extends ResolvedConfiguration {
  /** Records that were put and cannot be used. */
  readonly invalid: ReadonlyMap<string, LeftOut>
  /** Connections that name a part that is gone; those without a record are of the file. */
  readonly broken: readonly Pick<Part<unknown>, 'record'>[]
}

/** Parses records of one workspace that change, at the cost of these. All others stay as they are. */
export async function resolveChange(
  before: EffectiveConfiguration,
  workspaceId: string,
  { put, remove }: { readonly put: readonly ConfigurationRecord[]; readonly remove: readonly RecordKey[] },
  context: RecordContext,
  inTurn: InTurn,
): Promise<ResolvedChange> {
  const draft = new EffectiveDraft(before, context)
  draft.release([...put, ...remove])
  draft.remove(remove)
  await putAll(draft, put, inTurn)
  const broken = draft.connectionsOf(workspaceId, remove)
  return { ...draft.finish(), invalid: draft.invalid, broken }
}

/** Whether a change of a workspace may put records into use that are left out now, or others out of use. */
export function needsAll({ leftOut }: EffectiveConfiguration, workspaceId: string): boolean {
  const isShared = ({ path }: Problem): boolean => /writeKey$|^token$/.test(path)
  return [...leftOut.values()].some(
    ({ record, problems }) => record.workspaceId === workspaceId || problems.some(isShared),
  )
}

async function putAll(draft: EffectiveDraft, records: readonly ConfigurationRecord[], inTurn: InTurn): Promise<void> {
  for (const kinds of phases) {
    const byWorkspace = new Map<string, ConfigurationRecord[]>()
    for (const record of records) {
      if (!kinds.includes(record.kind)) continue
      const ofWorkspace = byWorkspace.get(record.workspaceId)
      if (ofWorkspace) ofWorkspace.push(record)
      else byWorkspace.set(record.workspaceId, [record])
    }
    for (const [workspaceId, ofWorkspace] of byWorkspace)
      for (let start = 0; start < ofWorkspace.length; start += recordsPerTurn) {
        const some = ofWorkspace.slice(start, start + recordsPerTurn)
        for (const { kind, body } of some) if (kind === 'source') await preparePlanOf(workspaceId, body, inTurn)
        await inTurn(workspaceId, () => draft.put(workspaceId, some))
      }
  }
}

/** Returns the ids of all stored sources and destinations, by workspace. */
function storedIds(records: readonly ConfigurationRecord[]): (workspaceId: string) => KnownParts {
  const none: KnownParts = { sources: new Set(), destinations: new Set() }
  const byWorkspace = new Map<string, { sources: Set<string>; destinations: Set<string> }>()
  for (const { workspaceId, kind, id } of records) {
    if (kind !== 'source' && kind !== 'destination') continue
    const known = byWorkspace.get(workspaceId) ?? { sources: new Set(), destinations: new Set() }
    byWorkspace.set(workspaceId, known)
    known[kind === 'source' ? 'sources' : 'destinations'].add(id)
  }
  return (workspaceId) => byWorkspace.get(workspaceId) ?? none
}
