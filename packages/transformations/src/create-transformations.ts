import { createKeyedQueue } from '@sluice/core'
import { createCodeTester } from './code-test/code-test.ts'
import { createPublisher } from './publish/publisher.ts'
import { connectedTransformations } from './publish/release.ts'
import { createCodeConnections } from './service/code-connections.ts'
import { createCodeReads } from './service/code-reads.ts'
import { createCodeReleases } from './service/code-releases.ts'
import { createCodeSaves, savesWaitingMax } from './service/code-saves.ts'
import type { Transformations, TransformationsOptions } from './transformations.ts'

export function createTransformations(options: TransformationsOptions): Transformations {
  const { store, programs, clock, onLive } = options
  const saves = createKeyedQueue(savesWaitingMax)
  const publisher = createPublisher({ store, tester: createCodeTester({ programs, clock }), clock, saves, onLive })
  const reads = createCodeReads(store)
  const parts = { ...options, reads, publisher }
  return {
    ...reads,
    ...createCodeSaves(parts, saves),
    ...createCodeConnections(parts),
    ...createCodeReleases(parts),
    connected: async (workspaceId) => connectedTransformations((await store.live(workspaceId)).published),
  }
}
