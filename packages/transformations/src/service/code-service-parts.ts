import type { createPublisher } from '../publish/publisher.ts'
import type { TransformationsOptions } from '../transformations.ts'
import type { VersionedCode } from '../versions/code-record.ts'
import type { TransformationStore } from '../versions/transformation-store.ts'
import type { CodeReads } from './code-reads.ts'

/** What saving, connecting and publishing user code share. */
export interface CodeServiceParts extends TransformationsOptions {
  readonly reads: CodeReads
  readonly publisher: ReturnType<typeof createPublisher>
}

/** Returns transformations without a published version, which may be connected already. */
export async function draftsOf(store: TransformationStore, workspaceId: string): Promise<readonly VersionedCode[]> {
  return (await store.list(workspaceId, 'transformation')).filter(({ record }) => record.publishedVersionId === null)
}
