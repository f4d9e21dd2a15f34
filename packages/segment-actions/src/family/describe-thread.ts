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
      return [publicDefinition(load(name))]
    } catch {
      return []
    }
  })
}

// Through JSON: the result is data, and functions cannot cross.
parentPort?.postMessage(JSON.parse(JSON.stringify(describeAll(String(workerData)))))
