import type { DestinationDefinition } from '@sluice/destinations'
import { toDestination } from '../define/to-destination.ts'
import { containStrayErrors } from '../peer/contain-stray-errors.ts'
import type { SegmentPeer } from '../peer/open-peer.ts'
import { findOwnNetwork } from '../peer/own-network.ts'
import { routeOwnClients } from '../send/own-clients.ts'

/**
 * Returns a function that loads a definition by its name as a destination of Sluice.
 *
 * @param prefix of the types, with a slash.
 * @throws Error (the returned function) when the definition cannot be loaded.
 */
export function createDestinationLoader(peer: SegmentPeer, prefix: string): (name: string) => DestinationDefinition {
  let clientsAreOurs: boolean | undefined
  return (name) => {
    const { core } = peer
    clientsAreOurs ??= routeOwnClients(core)
    const found = findOwnNetwork(peer.fileOf(name))
    const clients =
      found.makesClients && !clientsAreOurs ? [...found.clients, 'a request client of its own'] : found.clients
    return toDestination({
      type: `${prefix}${name}`,
      definition: containStrayErrors(`${prefix}${name}`, () => peer.load(name)),
      core,
      ownNetwork: { ...found, clients },
    })
  }
}
