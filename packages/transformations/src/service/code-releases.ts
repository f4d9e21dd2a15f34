import { parseTestInput } from '../code-test/parse-test-input.ts'
import type { ReleaseItem } from '../publish/release.ts'
import { done, type Result, refused } from '../transformation-error.ts'
import type { PublishRequest, Transformations } from '../transformations.ts'
import type { CodeStep } from '../versions/code-state.ts'
import type { CodeServiceParts } from './code-service-parts.ts'
import { unlessBusy } from './unless-busy.ts'

/** Tests versions of user code, and makes them live together. */
export function createCodeReleases({ store, publisher }: CodeServiceParts): Pick<Transformations, 'publish' | 'test'> {
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
    publish: (workspaceId, request) =>
      unlessBusy(() =>
        publisher.publish(workspaceId, async () => {
          if (namesNothing(request)) return nothingNamed
          const items = await itemsOf(workspaceId, request)
          const { commitId } = request
          return items.ok ? done({ items: items.value, commitId }) : items
        }),
      ),

    test: (workspaceId, request) =>
      unlessBusy(async () => {
        if (namesNothing(request)) return nothingNamed
        const items = await itemsOf(workspaceId, request)
        return items.ok ? done(await publisher.test(workspaceId, items.value)) : items
      }),
  }
}

/** Whether both lists are missing. Empty ones are fine: a project without changes passes. */
function namesNothing({ transformations, libraries }: PublishRequest): boolean {
  return transformations === undefined && libraries === undefined
}

const nothingNamed = refused(
  'publishEmpty',
  'neither transformations nor libraries are named; name at least one version',
)
