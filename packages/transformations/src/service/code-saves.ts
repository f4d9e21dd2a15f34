import { InvariantError, type KeyedQueue } from '@sluice/core'
import { repeatOnConflict } from '@sluice/core/repeat-on-conflict'
import { parseTestInput } from '../code-test/parse-test-input.ts'
import { taken } from '../publish/publisher.ts'
import type { ReleaseItem } from '../publish/release.ts'
import { done, type Result, refused } from '../transformation-error.ts'
import type { Transformations } from '../transformations.ts'
import { checkDestinationsFree, checkImportName, createCodeChecks, importNameOf } from '../versions/code-checks.ts'
import type { CodeKind, VersionedCode } from '../versions/code-record.ts'
import { type CodePatch, newRecord, nextVersion } from '../versions/next-version.ts'
import { type CodeServiceParts, draftsOf } from './code-service-parts.ts'
import { unlessBusy } from './unless-busy.ts'

/** Saves of one workspace that may wait: more than people cause, fewer than a runaway loop. */
export const savesWaitingMax = 1_000

/** Creates records of user code, and saves further versions of them. */
export function createCodeSaves(
  { store, sandbox, clock, random, destinationIds, reads, publisher }: CodeServiceParts,
  saves: KeyedQueue,
): Pick<Transformations, 'create' | 'update' | 'setExternalId'> {
  const checks = createCodeChecks({ store, sandbox, destinationIds })

  const saveVersion = async (
    workspaceId: string,
    kind: CodeKind,
    id: string,
    patch: CodePatch,
  ): Promise<Result<VersionedCode>> => {
    const saved = await repeatOnConflict(async () => {
      const found = await reads.find(workspaceId, kind, id)
      if (!found.ok) return found
      const { record } = found.value
      const version = nextVersion(found.value, patch, { clock, random })
      const result = await store.commit(workspaceId, { addVersion: version })
      if (result !== 'committed') return undefined
      const updatedAt = Math.max(record.updatedAt, version.createdAt)
      return done({ record: { ...record, newestVersionId: version.versionId, updatedAt }, version })
    })
    return saved ?? changedMeanwhile(kind, id)
  }

  /** A new record keeps its published version twice, because the first one stays a revision. */
  const copyOf = (code: VersionedCode): VersionedCode['version'] => ({
    ...nextVersion(code, {}, { clock, random }),
    createdAt: code.version.createdAt,
  })

  /** Publishes the version that `make` creates from the live code, and stores the version in the same step. */
  const publishNew = async (
    workspaceId: string,
    kind: 'create' | 'update',
    { destinationIds: wanted }: CodePatch,
    testInput: ReleaseItem['testInput'],
    make: () => Promise<Result<VersionedCode>>,
  ): Promise<Result<VersionedCode>> => {
    let made: VersionedCode | undefined
    const report = await publisher.publish(workspaceId, async ({ published }) => {
      const code = await make()
      if (!code.ok) return code
      made = kind === 'create' ? { ...code.value, version: copyOf(code.value) } : code.value
      const free = checkDestinationsFree(
        [...published, ...(await draftsOf(store, workspaceId))],
        made.record.id,
        wanted,
      )
      if (!free.ok) return free
      const item: ReleaseItem = {
        ...made,
        step: { kind, versionId: made.version.versionId, publish: true },
        testInput,
        destinationIds: wanted ? [...new Set(wanted)] : undefined,
      }
      return done({ items: [item], create: kind === 'create' ? code.value : undefined, addVersion: made.version })
    })
    if (!report.ok) return report
    if (made === undefined) throw new InvariantError('a published version is created first')
    const stored = await reads.find(workspaceId, made.record.kind, made.record.id)
    // Another request may have saved a later version by now. The answer is about this one.
    return stored.ok ? done({ record: stored.value.record, version: made.version }) : stored
  }

  return {
    create: (workspaceId, kind, code) =>
      unlessBusy(async () => {
        const connections = checks.connections(workspaceId, code)
        if (!connections.ok) return connections
        const importName = kind === 'library' ? importNameOf(code) : done('')
        if (!importName.ok) return importName
        const checked = await checks.code(workspaceId, code)
        if (!checked.ok) return checked
        const events = testEventsOf(code)
        if (!events.ok) return events
        const created = newRecord(workspaceId, kind, code, importName.value, { clock, random })
        if (code.publish) return publishNew(workspaceId, 'create', code, events.value, async () => done(created))
        const result = await store.commit(workspaceId, { create: created })
        if (result === 'committed') return done(created)
        return result === 'changed' ? changedMeanwhile(kind, created.record.id) : taken(result, created.record)
      }),

    update: (workspaceId, kind, id, patch) =>
      unlessBusy(async () => {
        const connections = checks.connections(workspaceId, patch)
        if (!connections.ok) return connections
        const found = await reads.find(workspaceId, kind, id)
        if (!found.ok) return found
        const hasItsName = checkImportName(patch, found.value.record)
        if (!hasItsName.ok) return hasItsName
        const events = testEventsOf(patch)
        if (!events.ok) return events
        const checked = await checks.code(workspaceId, { ...patch, name: patch.name ?? found.value.version.name })
        if (!checked.ok) return checked
        if (patch.publish)
          return publishNew(workspaceId, 'update', patch, events.value, async () => {
            const newest = await reads.find(workspaceId, kind, id)
            if (!newest.ok) return newest
            return done({ ...newest.value, version: nextVersion(newest.value, patch, { clock, random }) })
          })
        if (saves.isFull(workspaceId))
          return refused('busy', `${savesWaitingMax} saves of the workspace are already waiting; try again later`)
        return saves.run(workspaceId, () => saveVersion(workspaceId, kind, id, patch))
      }),

    setExternalId: async (workspaceId, kind, id, externalId) => {
      const found = await reads.find(workspaceId, kind, id)
      if (!found.ok || found.value.record.externalId === externalId) return found
      const result = await store.commit(workspaceId, { setExternalId: { id, externalId } })
      // Only a deletion can have come first.
      if (result === 'committed' || result === 'changed') return reads.find(workspaceId, kind, id)
      return taken(result, { externalId })
    },
  }
}

function changedMeanwhile(kind: CodeKind, id: string): Result<never> {
  return refused('changedMeanwhile', `${kind} ${id} keeps changing because of other requests; try again later`)
}

/** Returns the test events of a save; null for the sample events. */
function testEventsOf({ events, publish }: CodePatch): Result<ReleaseItem['testInput']> {
  if (events === undefined) return done(null)
  if (publish !== true)
    return refused(
      'eventsNeedPublish',
      'events test a version that is published: set publish = true, or leave events out and pass them as testInput when you publish the version',
    )
  const input = parseTestInput(events, 'events')
  return input.ok ? done(input.events) : refused('testInputInvalid', input.problem)
}
