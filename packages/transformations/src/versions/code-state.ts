import type { CodeRecord } from './code-record.ts'

/** The newest and the published version of a record; all others are revisions. */
export interface CodeState {
  readonly newest: string
  /** Null while no version is live. */
  readonly published: string | null
}

/** A change of a record. `versionId` is the version to create or to publish. */
export type CodeStep =
  | { readonly kind: 'create' | 'update'; readonly versionId: string; readonly publish: boolean }
  | { readonly kind: 'publish'; readonly versionId: string }

/**
 * Returns the state of a transformation or library after a step. A step that publishes changes nothing unless the tests
 * passed; in particular, a failed `create` leaves no record (undefined). Source:
 * packages/docs/api/transformations.md#states-of-versions.
 *
 * @param testsPassed used only for steps that publish.
 */
export function nextState(state: CodeState | undefined, step: CodeStep, testsPassed: boolean): CodeState | undefined {
  const publishes = step.kind === 'publish' || step.publish
  if (publishes && !testsPassed) return state
  if (step.kind === 'publish') return state && { newest: state.newest, published: step.versionId }
  return { newest: step.versionId, published: step.publish ? step.versionId : (state?.published ?? null) }
}

/** Returns the state of one version of a record. Source: packages/docs/api/transformations.md#states-of-versions. */
export function versionState(state: CodeState, versionId: string): 'published version' | 'revision' {
  return state.published === versionId ? 'published version' : 'revision'
}

export function stateOf({ newestVersionId, publishedVersionId }: CodeRecord): CodeState {
  return { newest: newestVersionId, published: publishedVersionId }
}
