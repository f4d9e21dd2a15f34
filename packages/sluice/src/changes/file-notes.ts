import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Configuration, ConfigurationEntry } from '@sluice/configuration'
import type { ChangeLog } from '@sluice/pipeline'
import type { ChangeFact, ChangeNotes } from './change-notes.ts'

const kinds = ['workspace', 'source', 'destination', 'connection', 'token', 'credential'] as const
/** Who changes what a workspace file defines. */
const file = 'the workspace file'
/** Most parts that a text names. */
const namedMax = 5

interface FileNotesOptions {
  readonly configuration: Pick<Configuration, 'list'>
  readonly log: Pick<ChangeLog, 'list'>
  readonly notes: ChangeNotes
}

/** What a workspace file defines, by workspace. Secrets are masked, so that a change of one alone is not noticed. */
type Defined = ReadonlyMap<string, readonly ConfigurationEntry[]>

/**
 * Notes what workspace files change, also while the server was stopped: the newest note has a digest of what was defined.
 * Processes that share a store read the same file, and the first one notes it.
 */
export function createFileNotes({ configuration, log, notes }: FileNotesOptions) {
  let before: Defined | undefined

  const defined = (workspaceIds: readonly string[]): Defined =>
    new Map(
      workspaceIds.map((id) => [
        id,
        kinds.flatMap((kind) => configuration.list(id, kind).filter(({ managedBy }) => managedBy === 'file')),
      ]),
    )

  return {
    /** Called after a file was read and applied. */
    async fileRead(workspaceIds: readonly string[]): Promise<void> {
      const now = defined(workspaceIds)
      for (const [id, entries] of now) {
        const [last] = await log.list(id, 1, { kind: 'fileRead' })
        if (entries.length === 0 && last === undefined) continue
        const ref = digestOf(entries)
        if (last?.ref !== ref) await notes.note(id, [{ ...factOf(id, before?.get(id), entries, last), ref }], file)
      }
      before = now
    },
  }
}

function factOf(
  id: string,
  before: readonly ConfigurationEntry[] | undefined,
  entries: readonly ConfigurationEntry[],
  last: object | undefined,
): ChangeFact {
  const name = String(entries.find(({ kind }) => kind === 'workspace')?.body['name'] ?? id)
  const what = { kind: 'fileRead', subject: { kind: 'workspace', id, name } } as const
  if (before !== undefined) return { ...what, text: `was read again: ${differences(before, entries)}` }
  const parts = entries.length === 1 ? 'one part' : `${entries.length} parts`
  if (last === undefined) return { ...what, text: `was read for the first time: it defines ${parts}` }
  return { ...what, text: `was changed while the server was stopped: it defines ${parts}` }
}

function differences(before: readonly ConfigurationEntry[], entries: readonly ConfigurationEntry[]): string {
  const [old, now] = [byKey(before), byKey(entries)]
  const lines = [
    ...[...now].flatMap(([key, entry]) => {
      const was = old.get(key)
      if (was === undefined) return `created ${label(entry)}`
      return isDeepStrictEqual(was.body, entry.body) ? [] : `changed ${label(entry)}`
    }),
    ...[...old].flatMap(([key, entry]) => (now.has(key) ? [] : `deleted ${label(entry)}`)),
  ]
  const more = lines.length - namedMax
  return [...lines.slice(0, namedMax), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}

function label({ kind, id, body }: ConfigurationEntry): string {
  if (kind === 'connection') return `connection ${body['source']} → ${body['destination']}`
  return `${kind === 'token' ? 'access token' : kind} ${body['name'] ?? id}`
}

function byKey(entries: readonly ConfigurationEntry[]): ReadonlyMap<string, ConfigurationEntry> {
  return new Map(entries.map((entry) => [`${entry.kind} ${entry.id}`, entry]))
}

/** Write keys are left out: the digest must reveal nothing of them. */
function digestOf(entries: readonly ConfigurationEntry[]): string {
  const shown = entries.map(({ kind, id, body: { writeKey: _, formerWriteKey: __, ...body } }) => ({ kind, id, body }))
  return createHash('sha256').update(JSON.stringify(shown)).digest('hex').slice(0, 32)
}
