import { systemClock, systemRandom } from '@sluice/core'
import type { DrilledPerson, LedgerPlace, RegulationStore } from '@sluice/regulation'
import { createMemoryStore } from '@sluice/storage'
import type { WorkspaceDefinition } from '../../../workspace/typed/workspace-definition.ts'

/** Source of events of persons who are suppressed for all sources. */
const anySource = 'drill'

/**
 * Starts a server with the regulations of a copy, sends it an event of each person, and stops it. Everything but the
 * regulations is empty and in memory: there is no destination, no earlier event, and nothing leaves the process. The ledger is
 * only read.
 *
 * @returns for each person whether the event was suppressed.
 */
export async function drillIngestion(
  regulations: RegulationStore,
  place: LedgerPlace,
  persons: readonly DrilledPerson[],
): Promise<readonly boolean[]> {
  const { startSluice } = await import('../../../start-sluice.ts')
  const parts = { clock: systemClock, random: systemRandom }
  const sluice = await startSluice({
    logger: 'off',
    workspace: { workspaces: workspacesOf(persons) },
    store: { ...createMemoryStore(parts), regulations },
    ledger: { place: readOnly(place) },
    transport: { send: async () => ({ kind: 'unsendable', code: 'DRILL', message: 'a drill sends nothing' }) },
  })
  try {
    const suppressed = async ({ workspaceId }: DrilledPerson): Promise<number> =>
      (await sluice.stats(workspaceId)).reduce((sum, source) => sum + source.suppressed, 0)
    const answers: boolean[] = []
    for (const person of persons) {
      const before = await suppressed(person)
      await sluice.ingest(writeKeyOf(person.workspaceId, sourceOf(person)), [
        { type: 'track', event: 'Drill', userId: person.userId },
      ])
      answers.push((await suppressed(person)) > before)
    }
    return answers
  } finally {
    await sluice.stop(0)
  }
}

function workspacesOf(persons: readonly DrilledPerson[]): readonly WorkspaceDefinition[] {
  const sources = new Map<string, Set<string>>()
  for (const person of persons) {
    const known = sources.get(person.workspaceId) ?? new Set()
    sources.set(person.workspaceId, known.add(sourceOf(person)))
  }
  return [...sources].map(([id, ofWorkspace]) => ({
    id,
    sources: [...ofWorkspace].map((source) => ({ id: source, writeKey: writeKeyOf(id, source) })),
    destinations: [],
    connections: [],
  }))
}

function sourceOf({ sourceIds }: DrilledPerson): string {
  return sourceIds[0] ?? anySource
}

function writeKeyOf(workspaceId: string, sourceId: string): string {
  return JSON.stringify([workspaceId, sourceId])
}

function readOnly(place: LedgerPlace): LedgerPlace {
  const refuse = (): never => {
    throw new Error('a drill changes nothing in the ledger')
  }
  return {
    ...place,
    // A ledger of an earlier version gets its digest at the next start.
    keep: async (name, fresh) => (await place.kept(name)) ?? (name === 'keyDigest' ? fresh : refuse()),
    replace: async () => refuse(),
    // What a store has that was served without the ledger: the start would write it.
    append: async (_, at) => at + 1,
    writeNote: async () => refuse(),
    notes: async () => [],
    removeNote: async () => refuse(),
    close: async () => {},
  }
}
