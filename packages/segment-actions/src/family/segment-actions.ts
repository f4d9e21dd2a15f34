import type { DestinationFamily, LoadedDefinition } from '@sluice/destinations'
import { findPeer, peerName } from '../peer/find-peer.ts'
import { openPeer } from '../peer/open-peer.ts'
import { createDestinationLoader } from './create-destination-loader.ts'
import { describeInThread } from './describe-in-thread.ts'

/** Beginning of the destination types: `segment/amplitude`. */
const prefix = 'segment/'

/**
 * Returns Segment's open destination definitions as a family of destination types. They come from the package
 * `@segment/action-destinations`, which you install beside your program; each is loaded when a workspace names it.
 *
 * The code of a definition runs in this process with all its permissions: it is trusted like Sluice itself.
 *
 * @param folder where to look for the package first, such as the folder of the workspace file; then in the current folder
 * and beside this package.
 * @throws Error when the package is not installed, with the command that installs it.
 */
export function segmentActions(folder: string = process.cwd()): DestinationFamily & { readonly prefix: typeof prefix } {
  const folders = [folder, process.cwd(), import.meta.dirname]
  const found = findPeer(folders)
  if (found === undefined)
    throw new Error(
      `${peerName} is not installed in ${folder}: run npm install ${peerName} there (it has 100 MB; the README of @sluice/segment-actions says what to do when npm finds no matching version of one of its dependencies)`,
    )
  const peer = openPeer(found)
  const load = createDestinationLoader(peer, prefix)
  return {
    prefix,
    origin: `${peerName} ${peer.version}`,
    types: peer.names.map((name) => `${prefix}${name}`),
    load: (type): LoadedDefinition => {
      const name = type.slice(prefix.length)
      try {
        return { ok: true, definition: load(name) }
      } catch (error) {
        const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error)
        return {
          ok: false,
          problem: `a type that loads; ${type} of ${peerName} ${peer.version} does not: ${reason}`,
        }
      }
    },
    describe: () => describeInThread(found.folder),
  }
}
