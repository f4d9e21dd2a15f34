import type { CodeRecord } from './code-record.ts'

/** Which versions of a record matter: all others are revisions. */
export interface CodeState {
  readonly newest: string
  /** Null while nothing of it is live. */
  readonly published: string | null
}

/** What may happen to a record. `versionId` is the version that is made, or that is to be published. */
export type CodeStep =
  | { readonly kind: 'create' | 'update'; readonly versionId: string; readonly publish: boolean }
  | { readonly kind: 'publish'; readonly versionId: string }

/**
 * The states of transformations and libraries, as a function: what a record is after a step. A step that publishes
 * changes nothing unless the tests passed; a record that is not there (undefined) then still is not.
 * Source: packages/docs/api/transformations.md#states-of-versions.
 *
 * @param testsPassed counts only for steps that publish.
 */
export function nextState(state: CodeState | undefined, step: CodeStep, testsPassed: boolean): CodeState | undefined {
  const publishes = step.kind === 'publish' || step.publish
  if (publishes && !testsPassed) return state
  if (step.kind === 'publish') return state && { newest: state.newest, published: step.versionId }
  return { newest: step.versionId, published: step.publish ? step.versionId : (state?.published ?? null) }
}

/** What one version of a record is. Source: packages/docs/api/transformations.md#states-of-versions. */
export function versionState(state: CodeState, versionId: string): 'published version' | 'revision' {
  return state.published === versionId ? 'published version' : 'revision'
}

export function stateOf({ newestVersionId, publishedVersionId }: CodeRecord): CodeState {
  return { newest: newestVersionId, published: publishedVersionId }
}
