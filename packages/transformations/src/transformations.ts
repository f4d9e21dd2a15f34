import type { Clock, Random, Transformation } from '@sluice/core'
import type { Sandbox } from '@sluice/sandbox'
import type { CodeTest } from './code-test/code-test.ts'
import type { PublishReport } from './publish/publisher.ts'
import type { TransformationPrograms } from './run/transformation-programs.ts'
import type { Result } from './transformation-error.ts'
import type { CodeKind, VersionedCode } from './versions/code-record.ts'
import type { CodePatch, NewCode } from './versions/next-version.ts'
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
