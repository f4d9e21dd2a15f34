import {
  type Clock,
  createKeyedQueue,
  InvariantError,
  type Random,
  SandboxBusyError,
  type Transformation,
} from '@sluice/core'
import type { Sandbox } from '@sluice/sandbox'
import { type CodeTest, createCodeTester } from './code-test/code-test.ts'
import { parseTestInput } from './code-test/parse-test-input.ts'
import { createPublisher, type PublishReport, taken } from './publish/publisher.ts'
import { connectedTransformations, importersOf, type ReleaseItem, reconnected } from './publish/release.ts'
import type { TransformationPrograms } from './run/transformation-programs.ts'
import { done, type Result, refused } from './transformation-error.ts'
import { checkDestinationsFree, checkImportName, createCodeChecks, importNameOf } from './versions/code-checks.ts'
import type { CodeKind, VersionedCode } from './versions/code-record.ts'
import type { CodeStep } from './versions/code-state.ts'
import { type CodePatch, type NewCode, newRecord, nextVersion } from './versions/next-version.ts'
import type { TransformationStore } from './versions/transformation-store.ts'

/** Versions to publish or test together. */
export interface PublishRequest {
  /** `testInput`: events, or the JSON text of a list of events. Default: the sample events. */
  readonly transformations?: readonly { readonly versionId: string; readonly testInput?: unknown }[]
  readonly libraries?: readonly { readonly versionId: string }[]
  /** A note that the published versions keep, such as the commit that they come from. Tests ignore it. */
  readonly commitId?: string
}

/**
 * User code as versioned, tested and published records. An invalid request results in an error value, and nothing is
 * stored. Sources: packages/docs/api/transformations.md.
 */
export interface Transformations {
  create(workspaceId: string, kind: CodeKind, code: NewCode): Promise<Result<VersionedCode>>
  /** Saves a new version of a record. Existing versions never change. */
  update(workspaceId: string, kind: CodeKind, id: string, patch: CodePatch): Promise<Result<VersionedCode>>
  /** Lists records with their newest versions, in order of creation. */
  list(workspaceId: string, kind: CodeKind): Promise<readonly VersionedCode[]>
  find(workspaceId: string, kind: CodeKind, id: string): Promise<Result<VersionedCode>>
  versions(
    workspaceId: string,
    kind: CodeKind,
    id: string,
    page: { readonly order: 'ASC' | 'DESC'; readonly limit?: number },
  ): Promise<Result<readonly VersionedCode[]>>
  version(workspaceId: string, kind: CodeKind, id: string, versionId: string): Promise<Result<VersionedCode>>
  /** Gives a record an id of the caller's own, instead of the one it has. It makes no version. */
  setExternalId(workspaceId: string, kind: CodeKind, id: string, externalId: string): Promise<Result<VersionedCode>>
  /** Deletes a record with all its versions and connections. @param options.ifUnused refuse while it is connected. */
  remove(
    workspaceId: string,
    kind: CodeKind,
    id: string,
    options: { readonly ifUnused: boolean },
  ): Promise<Result<true>>
  /**
   * Connects a destination with the published version of a transformation, instead of the one it has, or with none.
   * @param options.validateOnly check it, and change nothing.
   * @param options.acceptDraft connect a transformation without a published version, too: its first one runs there as soon
   * as it is published, and until then nothing does.
   * @returns the transformation that runs there now; without one, the one that ran there before, if any.
   */
  connect(
    workspaceId: string,
    destinationId: string,
    transformationId: string | undefined,
    options?: { readonly validateOnly?: boolean; readonly acceptDraft?: boolean },
  ): Promise<Result<VersionedCode | undefined>>
  /** Tests versions and makes them live, all or none. Publishing a live version, or empty lists, succeeds. */
  publish(workspaceId: string, request: PublishRequest): Promise<Result<PublishReport>>
  /** Tests versions like `publish`, in the order of the request, and changes nothing. Lists may be empty. */
  test(workspaceId: string, request: PublishRequest): Promise<Result<readonly CodeTest[]>>
  /** Returns what each connected destination runs now, by destination id. */
  connected(workspaceId: string): Promise<ReadonlyMap<string, Transformation>>
}

export interface TransformationsOptions {
  readonly store: TransformationStore
  readonly sandbox: Sandbox
  /** Programs of the same sandbox. Code that passed its tests is compiled when its first event arrives. */
  readonly programs: TransformationPrograms
  readonly clock: Clock
  readonly random: Random
  /** Returns the destinations that transformations of a workspace may be connected to. */
  destinationIds(workspaceId: string): readonly string[]
  /** Puts changed live code into effect before the request that changed it is answered. */
  onLive(workspaceId: string): Promise<void>
}

/** Saves of one workspace that may wait: more than people cause, fewer than a runaway loop. */
const savesWaitingMax = 1_000
/** Most attempts of a save while other processes save at the same time. */
const attemptsMax = 5

export function createTransformations(options: TransformationsOptions): Transformations {
  const { store, sandbox, programs, clock, random, destinationIds, onLive } = options
  const saves = createKeyedQueue(savesWaitingMax)
  const publisher = createPublisher({ store, tester: createCodeTester({ programs, clock }), clock, saves, onLive })
  const checks = createCodeChecks({ store, sandbox, destinationIds })

  const find: Transformations['find'] = async (workspaceId, kind, id) => {
    const found = await store.find(workspaceId, kind, id)
    if (found) return done(found)
    return refused(`${kind}Unknown`, `the workspace has no ${kind} ${id}; GET lists the existing ones`)
  }

  const saveVersion = async (
    workspaceId: string,
    kind: CodeKind,
    id: string,
    patch: CodePatch,
  ): Promise<Result<VersionedCode>> => {
    for (let attempts = 0; attempts < attemptsMax; attempts += 1) {
      const found = await find(workspaceId, kind, id)
      if (!found.ok) return found
      const { record } = found.value
      const version = nextVersion(found.value, patch, { clock, random })
      const result = await store.commit(workspaceId, { addVersion: version })
      const saved = {
        ...record,
        newestVersionId: version.versionId,
        updatedAt: Math.max(record.updatedAt, version.createdAt),
      }
      if (result === 'committed') return done({ record: saved, version })
    }
    return changedMeanwhile(kind, id)
  }

  /** A new record keeps its published version twice, because the first one stays a revision. */
  const copyOf = (code: VersionedCode): VersionedCode['version'] => ({
    ...nextVersion(code, {}, { clock, random }),
    createdAt: code.version.createdAt,
  })

  /** Returns transformations without a published version, which may be connected already. */
  const draftsOf = async (workspaceId: string): Promise<readonly VersionedCode[]> =>
    (await store.list(workspaceId, 'transformation')).filter(({ record }) => record.publishedVersionId === null)

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
      const free = checkDestinationsFree([...published, ...(await draftsOf(workspaceId))], made.record.id, wanted)
      if (!free.ok) return free
      const item: ReleaseItem = {
        ...made,
        step: { kind, versionId: made.version.versionId, publish: true },
        testInput,
        ...(wanted ? { destinationIds: [...new Set(wanted)] } : {}),
      }
      return done({ items: [item], ...(kind === 'create' ? { create: code.value } : {}), addVersion: made.version })
    })
    if (!report.ok) return report
    if (made === undefined) throw new InvariantError('a published version is created first')
    const stored = await find(workspaceId, made.record.kind, made.record.id)
    // Another request may have saved a later version by now. The answer is about this one.
    return stored.ok ? done({ record: stored.value.record, version: made.version }) : stored
  }

  /** Returns the versions a request names, each with its record. */
  const itemsOf = async (workspaceId: string, request: PublishRequest): Promise<Result<readonly ReleaseItem[]>> => {
    const { transformations = [], libraries = [] } = request
    const named = [
      ...transformations.map((entry) => ({ kind: 'transformation' as const, ...entry })),
      ...libraries.map(({ versionId }) => ({ kind: 'library' as const, versionId, testInput: undefined })),
    ]
    const items: ReleaseItem[] = []
    for (const { kind, versionId, testInput } of named) {
      const found = await store.findVersion(workspaceId, versionId)
      if (found?.record.kind !== kind) return refused('versionUnknown', `no ${kind} has a version ${versionId}`)
      const earlier = items.find(({ record }) => record.id === found.record.id)
      if (earlier)
        return refused(
          'publishTwice',
          `${kind} ${found.record.id} is named twice, with version ${earlier.version.versionId} and version ${versionId}; name one version of it`,
        )
      const input = parseTestInput(testInput)
      if (!input.ok) return refused('testInputInvalid', `version ${versionId}: ${input.problem}`)
      const step: CodeStep = { kind: 'publish', versionId }
      items.push({ ...found, step, testInput: input.events })
    }
    return done(items)
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
        const found = await find(workspaceId, kind, id)
        if (!found.ok) return found
        const hasItsName = checkImportName(patch, found.value.record)
        if (!hasItsName.ok) return hasItsName
        const events = testEventsOf(patch)
        if (!events.ok) return events
        const checked = await checks.code(workspaceId, { ...patch, name: patch.name ?? found.value.version.name })
        if (!checked.ok) return checked
        if (patch.publish)
          return publishNew(workspaceId, 'update', patch, events.value, async () => {
            const newest = await find(workspaceId, kind, id)
            if (!newest.ok) return newest
            return done({ ...newest.value, version: nextVersion(newest.value, patch, { clock, random }) })
          })
        if (saves.isFull(workspaceId))
          return refused('busy', `${savesWaitingMax} saves of the workspace are already waiting; try again later`)
        return saves.run(workspaceId, () => saveVersion(workspaceId, kind, id, patch))
      }),

    list: (workspaceId, kind) => store.list(workspaceId, kind),
    find,

    versions: async (workspaceId, kind, id, page) => {
      const found = await find(workspaceId, kind, id)
      if (!found.ok) return found
      const { record } = found.value
      return done((await store.versions(workspaceId, id, page)).map((version) => ({ record, version })))
    },

    version: async (workspaceId, kind, id, versionId) => {
      const found = await store.findVersion(workspaceId, versionId)
      if (found?.record.kind === kind && found.record.id === id) return done(found)
      const record = await find(workspaceId, kind, id)
      return record.ok ? refused('versionUnknown', `${kind} ${id} has no version ${versionId}`) : record
    },

    setExternalId: async (workspaceId, kind, id, externalId) => {
      const found = await find(workspaceId, kind, id)
      if (!found.ok || found.value.record.externalId === externalId) return found
      const result = await store.commit(workspaceId, { setExternalId: { id, externalId } })
      // Only a deletion can have come first.
      if (result === 'committed' || result === 'changed') return find(workspaceId, kind, id)
      return taken(result, { externalId })
    },

    remove: (workspaceId, kind, id, { ifUnused }) =>
      publisher.rearrange(workspaceId, async (live) => {
        const found = await find(workspaceId, kind, id)
        if (!found.ok) return found
        const { record } = found.value
        if (ifUnused && record.destinationIds.length > 0)
          return refused(
            'transformationInUse',
            `transformation ${id} is connected to ${record.destinationIds.join(', ')}; disconnect it first, or leave ifUnused out`,
            { destinationIds: record.destinationIds },
          )
        const importers = kind === 'library' ? importersOf(record, live.published) : []
        if (importers.length > 0)
          return refused(
            'libraryInUse',
            `library ${id} is imported by published transformations: ${importers.map(({ version }) => version.name).join(', ')}; publish versions that do not import it first`,
            { transformationIds: importers.map((importer) => importer.record.id) },
          )
        return done({ remove: id, value: true as const })
      }),

    connect: (workspaceId, destinationId, id, { validateOnly = false, acceptDraft = false } = {}) =>
      publisher.rearrange(workspaceId, async ({ published }) => {
        if (!destinationIds(workspaceId).includes(destinationId))
          return refused('destinationUnknown', `the workspace has no destination ${destinationId}`)
        if (id !== undefined && !published.some(({ record }) => record.id === id)) {
          const found = await find(workspaceId, 'transformation', id)
          if (!found.ok) return found
          if (!acceptDraft)
            return refused(
              'destinationsNeedPublish',
              `transformation ${id} has no published version; publish one first`,
            )
        }
        const change = reconnected([...published, ...(await draftsOf(workspaceId))], destinationId, id)
        return done(validateOnly ? { value: change.value } : change)
      }),

    publish: (workspaceId, request) =>
      unlessBusy(() =>
        publisher.publish(workspaceId, async () => {
          if (namesNothing(request)) return nothingNamed
          const items = await itemsOf(workspaceId, request)
          const { commitId } = request
          return items.ok ? done({ items: items.value, ...(commitId === undefined ? {} : { commitId }) }) : items
        }),
      ),

    test: (workspaceId, request) =>
      unlessBusy(async () => {
        if (namesNothing(request)) return nothingNamed
        const items = await itemsOf(workspaceId, request)
        return items.ok ? done(await publisher.test(workspaceId, items.value)) : items
      }),

    connected: async (workspaceId) => connectedTransformations((await store.live(workspaceId)).published),
  }
}

function changedMeanwhile(kind: CodeKind, id: string): Result<never> {
  return refused('changedMeanwhile', `${kind} ${id} keeps changing because of other requests; try again later`)
}

/** Whether both lists are missing. Empty ones are fine: a project without changes passes. */
function namesNothing({ transformations, libraries }: PublishRequest): boolean {
  return transformations === undefined && libraries === undefined
}

const nothingNamed = refused(
  'publishEmpty',
  'neither transformations nor libraries are named; name at least one version',
)

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

async function unlessBusy<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SandboxBusyError)
      return refused('busy', 'too much code is waiting for the sandbox; try again later')
    throw error
  }
}
