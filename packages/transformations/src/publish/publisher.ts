import { type Clock, createKeyedQueue, type KeyedQueue } from '@sluice/core'
import { repeatOnConflict } from '@sluice/core/repeat-on-conflict'
import type { CodeTest, CodeTester, TestBounds, TestSubject } from '../code-test/code-test.ts'
import { done, type Result, refused } from '../transformation-error.ts'
import type { CodeRecord, VersionedCode } from '../versions/code-record.ts'
import { nextState, stateOf } from '../versions/code-state.ts'
import type { CodeChange, CommitResult, LiveCode, TransformationStore } from '../versions/transformation-store.ts'
import type { ReleaseItem } from './release.ts'
import { releaseTests } from './release.ts'

/** Versions to make live together, and what to store with them. */
interface Release extends Pick<CodeChange, 'create' | 'addVersion'> {
  readonly items: readonly ReleaseItem[]
  /** A note that all of them keep. */
  readonly commitId?: string
}

/** The tests that a publication passed. */
export interface PublishReport {
  readonly transformations: readonly CodeTest[]
  readonly libraries: readonly CodeTest[]
  /**
   * Published transformations that were tested again because one of their libraries changes; without outputs and log.
   */
  readonly retested: readonly CodeTest[]
  /** The versions that are live now and were not before, with their records as they were. */
  readonly published: readonly VersionedCode[]
}

/** Tests the versions of a release and makes them live, all or none. */
interface Publisher {
  /** @param prepare creates the release for the live code. Called again when the live code changed during the tests. */
  publish(workspaceId: string, prepare: (live: LiveCode) => Promise<Result<Release>>): Promise<Result<PublishReport>>
  /** Tests what would be published, and stores nothing. */
  test(workspaceId: string, items: readonly ReleaseItem[]): Promise<readonly CodeTest[]>
  /** Deletes live code, or connects code that is live already, without a test. `change` gets the live code. */
  rearrange<T>(
    workspaceId: string,
    change: (live: LiveCode) => Promise<Result<Pick<CodeChange, 'publish' | 'remove'> & { readonly value: T }>>,
  ): Promise<Result<T>>
}

/** Time limit of a request, from its arrival to the end of its tests, because clients and proxies wait no longer. */
const requestTimeMs = 30_000
/** Most characters of outputs and logs in the answer to one request. */
const answerCharsMax = 32_000_000
/** Most transformations named when a library would break them. */
const brokenMax = 100
/** Most publications of one workspace that may wait. */
const waitingMax = 50

/**
 * @param options.onLive called after a change of the live code, before the request is answered. Its failure fails the
 * request.
 */
export function createPublisher(options: {
  readonly store: TransformationStore
  readonly tester: CodeTester
  readonly clock: Clock
  /** Queue of saves. The publisher enters it only after a save has interfered. */
  readonly saves: KeyedQueue
  onLive(workspaceId: string): Promise<void>
}): Publisher {
  const { store, tester, clock, saves, onLive } = options
  const publications = createKeyedQueue(waitingMax)

  const runAll = async (subjects: readonly TestSubject[], signal: AbortSignal): Promise<readonly CodeTest[]> => {
    const bounds: TestBounds = { signal, charsLeft: answerCharsMax }
    const tests: CodeTest[] = []
    for (const subject of subjects) tests.push(await tester.run(subject, bounds))
    return tests
  }

  /** There may be many dependents, so outputs and logs of those that pass are not kept. */
  const retest = async (subjects: readonly TestSubject[], signal: AbortSignal): Promise<readonly CodeTest[]> => {
    const tests: CodeTest[] = []
    for (const subject of subjects) {
      const [test] = await runAll([subject], signal)
      if (test) tests.push(test.passed ? { ...test, outputs: [], log: [] } : test)
      // Further failures would not change the answer, and all of them might not fit into it.
      if (tests.filter(({ passed }) => !passed).length === brokenMax) break
    }
    return tests
  }

  /** @returns undefined when the live code has changed in the meantime. */
  const attempt = async (
    workspaceId: string,
    live: LiveCode,
    { items, commitId, ...saved }: Release,
    signal: AbortSignal,
  ): Promise<Result<PublishReport> | undefined> => {
    const subjects = releaseTests(live.published, items)
    const own = await runAll(subjects.own, signal)
    const retested = await retest(subjects.dependents, signal)
    const passed = [...own, ...retested].every((test) => test.passed)
    const publish = items.flatMap(({ record, version, step, testInput, destinationIds }) => {
      const state = step.kind === 'create' ? undefined : stateOf(record)
      const next = nextState(state, step, passed)
      if (next === state || next?.published !== version.versionId) return []
      const at = step.kind === 'publish' ? clock.now() : version.createdAt
      return {
        id: record.id,
        versionId: next.published,
        testInput,
        at,
        destinationIds,
        commitId,
      }
    })
    if (publish.length < items.length) return refusal(own, retested)
    if (publish.length === 0) return done({ ...byKind(own), retested, published: [] })
    const result = await store.commit(workspaceId, { ...saved, liveRevision: live.revision, publish })
    if (result === 'changed') return undefined
    if (result !== 'committed') return taken(result, saved.create?.record ?? {})
    await onLive(workspaceId)
    const published = items.flatMap(({ record, version }) =>
      record.publishedVersionId === version.versionId ? [] : [{ record, version }],
    )
    return done({ ...byKind(own), retested, published })
  }

  const again = async <T>(
    workspaceId: string,
    once: (signal: AbortSignal) => Promise<Result<T> | undefined>,
  ): Promise<Result<T>> => {
    if (publications.isFull(workspaceId))
      return refused('busy', `${waitingMax} publications of the workspace are already waiting; try again later`)
    const signal = AbortSignal.timeout(requestTimeMs)
    return publications.run(workspaceId, async () => {
      if (signal.aborted) return refused('busy', 'publications of the workspace take too long; try again later')
      const keepsChanging = refused(
        'changedMeanwhile',
        'the live code keeps changing because of other requests; try again later',
      )
      const published = await repeatOnConflict((attempt) => {
        if (attempt === 1) return once(signal)
        // Blocks other saves of this process. Otherwise a busy record might never be published.
        return saves.isFull(workspaceId) ? Promise.resolve(keepsChanging) : saves.run(workspaceId, () => once(signal))
      })
      return published ?? keepsChanging
    })
  }

  return {
    publish: (workspaceId, prepare) =>
      again(workspaceId, async (signal) => {
        const live = await store.live(workspaceId)
        const release = await prepare(live)
        return release.ok ? attempt(workspaceId, live, release.value, signal) : release
      }),
    test: async (workspaceId, items) => {
      const { own } = releaseTests((await store.live(workspaceId)).published, items)
      return runAll(own, AbortSignal.timeout(requestTimeMs))
    },
    rearrange: (workspaceId, change) =>
      again(workspaceId, async () => {
        const live = await store.live(workspaceId)
        const changed = await change(live)
        if (!changed.ok) return changed
        const { value, ...codeChange } = changed.value
        if (codeChange.remove === undefined && (codeChange.publish ?? []).length === 0) return done(value)
        const result = await store.commit(workspaceId, { liveRevision: live.revision, ...codeChange })
        if (result !== 'committed') return undefined
        await onLive(workspaceId)
        return done(value)
      }),
  }
}

/** Returns why a record cannot be stored: another one has its import name or its external id. */
export function taken(
  result: Extract<CommitResult, `${string}Taken`>,
  { importName = '', externalId = '' }: Partial<Pick<CodeRecord, 'importName' | 'externalId'>>,
): Result<never> {
  if (result === 'externalIdTaken')
    return refused(result, `another record has the external id ${externalId}; give another one`)
  return refused(
    result,
    `a library with the import name ${importName}, or with the same camel case, already exists; give another importName`,
  )
}

function refusal(own: readonly CodeTest[], retested: readonly CodeTest[]): Result<never> {
  const failedOnes = own.filter(({ passed }) => !passed)
  const broken = retested.filter(({ passed }) => !passed)
  const { transformations, libraries } = byKind(failedOnes.map(failureOf))
  const details = { transformations, libraries, breaks: broken.map(failureOf) }
  if (failedOnes.length === 0)
    return refused(
      'publishBreaks',
      `published transformations would fail with it: ${names(broken)}; publish working versions of them together with it`,
      details,
    )
  return refused('testsFailed', `tests failed: ${names(failedOnes)}; nothing was changed`, details)
}

function failureOf({ kind, id, versionId, name, errors, log }: CodeTest) {
  return { kind, id, versionId, name, errors: errors.map((error) => ({ ...error })), log }
}

function names(tests: readonly CodeTest[]): string {
  return tests.map(({ kind, name, errors }) => `${kind} ${name} (${firstLine(errors[0]?.error ?? '')})`).join(', ')
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.slice(0, 200) ?? ''
}

function byKind<T extends Pick<CodeTest, 'kind'>>(
  tests: readonly T[],
): { transformations: readonly T[]; libraries: readonly T[] } {
  return {
    transformations: tests.filter(({ kind }) => kind === 'transformation'),
    libraries: tests.filter(({ kind }) => kind === 'library'),
  }
}
