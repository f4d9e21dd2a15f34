import { parentPort, workerData } from 'node:worker_threads'
import { type PublicDefinition, publicDefinition } from '@sluice/destinations/kit'
import { openPeer } from '../peer/open-peer.ts'
import { createDestinationLoader } from './create-destination-loader.ts'

/** Describes every definition that can be loaded. Runs in a thread of its own. */
function describeAll(folder: string): readonly PublicDefinition[] {
  const peer = openPeer({ folder, version: '' })
  const load = createDestinationLoader(peer, 'segment/')
  return peer.names.flatMap((name) => {
    try {
      return [asData(publicDefinition(load(name)))]
    } catch {
      return []
    }
  })
}

/** Through JSON, because functions cannot cross. Settings are data, and share what all types have. */
function asData({ settings, ...others }: PublicDefinition): PublicDefinition {
  return { ...JSON.parse(JSON.stringify(others)), settings }
}

parentPort?.postMessage(describeAll(String(workerData)))
