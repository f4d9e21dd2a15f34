import { type Clock, type Random, type Transformation, uuidV7 } from '@sluice/core'
import { camelCase, type Sandbox, SandboxBusyError } from '@sluice/sandbox'
import type { CodeKind, CodeLanguage, CodeRecord, CodeVersion, VersionedCode } from './code-record.ts'
import { type CodeTest, createCodeTester } from './code-test.ts'
import { importKey } from './import-graph.ts'
import { parseTestInput } from './parse-test-input.ts'
import { createPublisher, importNameTaken, type PublishReport } from './publisher.ts'
import { connectedTransformations, importersOf, type ReleaseItem } from './release.ts'
import { done, type Result, refused } from './transformation-error.ts'
import type { TransformationPrograms } from './transformation-programs.ts'
import type { LiveCode, TransformationStore } from './transformation-store.ts'
import { createTurns } from './turns.ts'
import { type CodeStep, nextState } from './version-state.ts'

/** What may be changed of a transformation or library; what is absent stays as it is. */
export interface CodePatch {
  readonly name?: string
  readonly description?: string
  /** At most 1 MB of UTF-8. */
  readonly code?: string
  readonly language?: CodeLanguage
  /** Tests the new version and makes it live; default false. */
  readonly publish?: boolean
  /** Replaces the destinations of a transformation; only together with `publish`. */
  readonly destinationIds?: readonly string[]
}

export interface NewCode extends CodePatch {
  readonly name: string
  /** Of a library; default the camel case of its name. It stays what it is. */
  readonly importName?: string
}

/** Versions to publish or to test together. */
export interface PublishRequest {
  /** `testInput`: events, or the JSON text of a list of events; default the sample events. */
  readonly transformations?: readonly { readonly versionId: string; readonly testInput?: unknown }[]
  readonly libraries?: readonly { readonly versionId: string }[]
}

/**
 * User code as versioned, tested, published records. Whatever a request gets wrong is an error value; nothing is stored
 * then. Sources: interface spec 2.1 to 2.4, 3.1 and 4.1.
 */
export interface Transformations {
  create(workspaceId: string, kind: CodeKind, code: NewCode): Promise<Result<VersionedCode>>
  /** Saves a new version of a record; a version is never changed. */
  update(workspaceId: string, kind: CodeKind, id: string, patch: CodePatch): Promise<Result<VersionedCode>>
  /** With their newest versions, in order of creation. */
  list(workspaceId: string, kind: CodeKind): Promise<readonly VersionedCode[]>
  find(workspaceId: string, kind: CodeKind, id: string): Promise<Result<VersionedCode>>
  versions(
    workspaceId: string,
    kind: CodeKind,
    id: string,
    page: { readonly order: 'ASC' | 'DESC'; readonly limit?: number },
  ): Promise<Result<readonly VersionedCode[]>>
  version(workspaceId: string, kind: CodeKind, id: string, versionId: string): Promise<Result<VersionedCode>>
  /** Forgets a record with all its versions, disconnected. @param options.ifUnused refuse while it is connected. */
  remove(
    workspaceId: string,
    kind: CodeKind,
    id: string,
    options: { readonly ifUnused: boolean },
  ): Promise<Result<true>>
  /** Tests versions and makes them live, all or none. Publishing what is live already succeeds. */
  publish(workspaceId: string, request: PublishRequest): Promise<Result<PublishReport>>
  /** Tests versions as `publish` would, in the order of the request, and changes nothing. */
  test(workspaceId: string, request: PublishRequest): Promise<Result<readonly CodeTest[]>>
  /** What each connected destination runs now, by its id. */
  connected(workspaceId: string): Promise<ReadonlyMap<string, Transformation>>
}

export interface TransformationsOptions {
  readonly store: TransformationStore
  readonly sandbox: Sandbox
  /** Of the same sandbox. What passed its tests is compiled when the first event comes. */
  readonly programs: TransformationPrograms
  readonly clock: Clock
  readonly random: Random
  /** What transformations of a workspace may be connected to. */
  destinationIds(workspaceId: string): readonly string[]
  /** Makes what is live now run, before whoever changed it is told. */
  onLive(workspaceId: string): Promise<void>
}

const codeBytesMax = 1_000_000
/** Per workspace and kind, because lists are answered whole. */
const recordsMax = 1_000
/** Per record, because version lists are answered whole. */
const versionsMax = 10_000
/** Saves of one workspace that may wait for each other: more than people, fewer than a runaway loop. */
const savesWaitingMax = 1_000
/** How often a save is tried again because another process saved at the same time. */
const attemptsMax = 5

export function createTransformations(options: TransformationsOptions): Transformations {
  const { store, sandbox, programs, clock, random, destinationIds, onLive } = options
  const publisher = createPublisher({ store, tester: createCodeTester({ programs, clock }), clock, onLive })
  const saves = createTurns(savesWaitingMax)

  /** Whether code can be saved: what it imports and exports is only looked at when it is published. */
  const checkCode = async ({ name, code = '' }: CodePatch): Promise<Result<true>> => {
    const bytes = Buffer.byteLength(code)
    if (bytes > codeBytesMax) return refused('codeTooLarge', `the code has ${bytes} bytes; ${codeBytesMax} are allowed`)
    if (code === '') return done(true)
    const compiled = await sandbox.compile({ name: name ?? '', code, libraries: [] })
    const message = compiled.ok ? '' : compiled.error.message
    if (!message.startsWith('SyntaxError')) return done(true)
    return refused('codeInvalid', `the code cannot be parsed: ${message.split('\n', 1)[0]}`)
  }

  const checkConnections = (workspaceId: string, { publish, destinationIds: wanted }: CodePatch): Result<true> => {
    if (wanted === undefined) return done(true)
    if (publish !== true)
      return refused(
        'destinationsNeedPublish',
        'destinationIds is allowed only together with publish = true; publish the version, or leave destinationIds out',
      )
    const known = destinationIds(workspaceId)
    const unknown = wanted.filter((id) => !known.includes(id))
    if (unknown.length === 0) return done(true)
    return refused(
      'destinationUnknown',
      `the workspace has no destination ${unknown.join(', ')}; GET /v2/destinations lists those it has`,
    )
  }

  const newRecord = (workspaceId: string, kind: CodeKind, code: NewCode, importName: string): VersionedCode => {
    const at = clock.now()
    const id = uuidV7(clock, random)
    const version: CodeVersion = {
      id,
      versionId: uuidV7(clock, random),
      number: 1,
      name: code.name,
      description: code.description ?? '',
      code: code.code ?? '',
      language: code.language ?? 'javascript',
      createdAt: at,
    }
    const { versionId } = version
    const state = nextState(undefined, { kind: 'create', versionId, publish: false }, false)
    const record: CodeRecord = {
      kind,
      id,
      workspaceId,
      importName,
      newestVersionId: state?.newest ?? versionId,
      publishedVersionId: null,
      testInput: null,
      destinationIds: [],
      createdAt: at,
      updatedAt: at,
    }
    return { record, version }
  }

  const nextVersion = ({ version: newest }: VersionedCode, patch: CodePatch): CodeVersion => ({
    id: newest.id,
    versionId: uuidV7(clock, random),
    number: newest.number + 1,
    name: patch.name ?? newest.name,
    description: patch.description ?? newest.description,
    code: patch.code ?? newest.code,
    language: patch.language ?? newest.language,
    createdAt: Math.max(clock.now(), newest.createdAt),
  })

  const find: Transformations['find'] = async (workspaceId, kind, id) => {
    const found = await store.find(workspaceId, kind, id)
    if (found) return done(found)
    return refused(`${kind}Unknown`, `the workspace has no ${kind} ${id}; GET lists those it has`)
  }

  const published = async (
    workspaceId: string,
    code: VersionedCode,
    report: Result<PublishReport>,
  ): Promise<Result<VersionedCode>> => (report.ok ? find(workspaceId, code.record.kind, code.record.id) : report)

  /** A record and its new version, as it is to go live. */
  const itemOf = (code: VersionedCode, kind: 'create' | 'update', patch: CodePatch): ReleaseItem => ({
    ...code,
    step: { kind, versionId: code.version.versionId, publish: true },
    testInput: null,
    ...(patch.destinationIds ? { destinationIds: [...new Set(patch.destinationIds)] } : {}),
  })

  const saveVersion = async (
    workspaceId: string,
    kind: CodeKind,
    id: string,
    patch: CodePatch,
  ): Promise<Result<VersionedCode>> => {
    for (let attempts = 0; attempts < attemptsMax; attempts += 1) {
      const found = await find(workspaceId, kind, id)
      if (!found.ok) return found
      const room = roomForVersion(found.value)
      if (!room.ok) return room
      const addVersion = nextVersion(found.value, patch)
      if ((await store.commit(workspaceId, { addVersion })) === 'committed') return find(workspaceId, kind, id)
    }
    return refused('changedMeanwhile', `others change ${kind} ${id} all the time; ask again later`)
  }

  const publishVersion = async (
    workspaceId: string,
    kind: CodeKind,
    id: string,
    patch: CodePatch,
  ): Promise<Result<VersionedCode>> => {
    const report = await publisher.publish(workspaceId, async (live) => {
      const found = await find(workspaceId, kind, id)
      if (!found.ok) return found
      const room = roomForVersion(found.value)
      if (!room.ok) return room
      const version = nextVersion(found.value, patch)
      const free = destinationsFree(live, id, patch.destinationIds)
      return free.ok
        ? done({ items: [itemOf({ record: found.value.record, version }, 'update', patch)], addVersion: version })
        : free
    })
    return report.ok ? find(workspaceId, kind, id) : report
  }

  /** The versions a request names, each with its record. */
  const itemsOf = async (workspaceId: string, request: PublishRequest): Promise<Result<readonly ReleaseItem[]>> => {
    const { transformations = [], libraries = [] } = request
    if (transformations.length + libraries.length === 0)
      return refused('publishEmpty', 'neither transformations nor libraries are named; name at least one version')
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
        const connections = checkConnections(workspaceId, code)
        if (!connections.ok) return connections
        const importName = kind === 'library' ? (code.importName ?? camelCase(code.name)) : ''
        if (kind === 'library' && importKey(importName) === '')
          return refused(
            'importNameInvalid',
            `${JSON.stringify(importName || code.name)} gives no name to import by; give an importName with letters or digits`,
          )
        const checked = await checkCode(code)
        if (!checked.ok) return checked
        if ((await store.count(workspaceId, kind)) >= recordsMax)
          return refused('recordsFull', `there are ${recordsMax} of this kind already; delete some first`)
        const created = newRecord(workspaceId, kind, code, importName)
        if (code.publish) {
          const report = await publisher.publish(workspaceId, async (live) => {
            const free = destinationsFree(live, created.record.id, code.destinationIds)
            return free.ok ? done({ items: [itemOf(created, 'create', code)], create: created }) : free
          })
          return published(workspaceId, created, report)
        }
        const result = await store.commit(workspaceId, { create: created })
        return result === 'committed' ? done(created) : importNameTaken(importName)
      }),

    update: (workspaceId, kind, id, patch) =>
      unlessBusy(async () => {
        const connections = checkConnections(workspaceId, patch)
        if (!connections.ok) return connections
        const found = await find(workspaceId, kind, id)
        if (!found.ok) return found
        const checked = await checkCode({ ...patch, name: patch.name ?? found.value.version.name })
        if (!checked.ok) return checked
        if (patch.publish) return publishVersion(workspaceId, kind, id, patch)
        const saved = await saves.take(workspaceId, () => saveVersion(workspaceId, kind, id, patch))
        return saved ?? refused('busy', `${savesWaitingMax} saves of the workspace wait already; ask again later`)
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

    remove: (workspaceId, kind, id, { ifUnused }) =>
      publisher.withdraw(workspaceId, async (live) => {
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
        return done({ id, value: true as const })
      }),

    publish: (workspaceId, request) =>
      unlessBusy(() =>
        publisher.publish(workspaceId, async () => {
          const items = await itemsOf(workspaceId, request)
          return items.ok ? done({ items: items.value }) : items
        }),
      ),

    test: (workspaceId, request) =>
      unlessBusy(async () => {
        const items = await itemsOf(workspaceId, request)
        return items.ok ? done(await publisher.test(workspaceId, items.value)) : items
      }),

    connected: async (workspaceId) => connectedTransformations((await store.live(workspaceId)).published),
  }
}

function roomForVersion({ version }: VersionedCode): Result<true> {
  if (version.number < versionsMax) return done(true)
  return refused('versionsFull', `there are ${versionsMax} versions already; make a new one instead of this`)
}

/** A destination has at most one transformation. Source: governance facts 8. */
function destinationsFree({ published }: LiveCode, id: string, wanted: readonly string[] = []): Result<true> {
  for (const { record, version } of published) {
    const taken = record.id === id ? undefined : wanted.find((each) => record.destinationIds.includes(each))
    if (taken === undefined) continue
    const first = { id: record.id, name: version.name }
    return refused(
      'destinationTaken',
      `destination ${taken} is connected to transformation ${version.name} (${record.id}); disconnect that one first`,
      { destinationId: taken, transformation: first },
    )
  }
  return done(true)
}

async function unlessBusy<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SandboxBusyError) return refused('busy', 'too much code waits to be run; ask again later')
    throw error
  }
}
