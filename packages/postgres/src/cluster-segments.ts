import type { SegmentStore } from '@sluice/regulation'
import type { Query } from './connect/connect.ts'

/**
 * The stored suppression index of a cluster: changes are deleted only when every process has applied them. A process that
 * has just come counts, too: it may have read the index as it was before. The one that settles has applied them itself.
 */
export function createClusterSegments(segments: SegmentStore, query: Query, nodeId: () => string): SegmentStore {
  return {
    ...segments,
    settle: async (position, digest) => {
      const behind = await query(
        'select id from node where id <> $1 and applied < (select count from change_count) limit 1',
        [nodeId()],
      )
      // The next change tries again.
      if (behind.length === 0) await segments.settle(position, digest)
    },
  }
}
